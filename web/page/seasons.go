package page

// MostElsewhere is how many signals outside of tournaments are shown.
const MostElsewhere = 200
