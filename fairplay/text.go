package fairplay

// TextVersion is the number of the fair-play text; it rises with every change of meaning, in all languages at once. Who
// accepted an earlier one is asked again.
const TextVersion = 2
