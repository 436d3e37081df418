/*
 * simd_path_end.h: takes back what simd_path.h defined, so that the next path can follow.
 */
#undef real
#undef mask
#undef word
#undef KERNEL
#undef INLINE
#undef OWN
#undef PATH_NAME
#undef TARGET
#undef MAX
#undef SELECT
#undef ANY
#undef ROOT
#undef WIDTH
