/*
 * direct_certificate.h: for how long the leader of the direct estimate is certain.
 */
#ifndef ROSTER_DIRECT_CERTIFICATE_H
#define ROSTER_DIRECT_CERTIFICATE_H

#include "certificate.h"
#include "direct.h"

enum { ROSTER_DIRECT_LINE = 4 };

/* The certificate of the leader; for one round where there is none for more. lines: scratch, [n][LINE]. */
void roster_direct_certify(const roster_direct *direct, double *lines, roster_certificate *certificate);

#endif
