#include "textflag.h"

// func prefetch(pair *[2]seen)
TEXT ·prefetch(SB), NOSPLIT|NOFRAME, $0-8
	MOVQ pair+0(FP), AX
	PREFETCHT0 (AX)
	RET
