#include "textflag.h"

// func ahead(pair *[2]seen)
TEXT ·ahead(SB), NOSPLIT|NOFRAME, $0-8
	MOVQ pair+0(FP), AX
	PREFETCHT0 (AX)
	RET
