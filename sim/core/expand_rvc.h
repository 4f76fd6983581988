/*
 * expand_rvc.h - RISC-V's compressed instructions, as the full ones that they stand for
 * (The RISC-V Instruction Set Manual, volume I, chapter "C", RV64 with F and D).
 */
#ifndef SIM_CORE_EXPAND_RVC_H
#define SIM_CORE_EXPAND_RVC_H

#include <stdint.h>

/* 0: reserved, or no instruction. */
uint32_t iss_expand_rvc(uint16_t c);

#endif
