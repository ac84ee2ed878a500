// A test as LLVM's own are, for `vop3p conform`; written for this crate.
// RUN: llvm-mc -triple=amdgcn -mcpu=gfx1100 -show-encoding %s | FileCheck --check-prefix=GFX11 %s
// RUN: not llvm-mc -triple=amdgcn -mcpu=gfx900 %s 2>&1 | FileCheck --check-prefix=GFX9 --implicit-check-not=error: %s
// RUN: not llvm-mc -triple=amdgcn -mcpu=tonga %s 2>&1 | FileCheck --check-prefix=VI --implicit-check-not=error: %s

v_pk_add_f16 v7, 2.0, v8 neg_lo:[0,1]
// GFX11: v_pk_add_f16 v7, 2.0, v8 neg_lo:[0,1] ; encoding: [0x07,0x40,0x0f,0xcc,0xf4,0x10,0x02,0x58]
// VI: :[[@LINE-2]]:1: error: instruction not supported on this GPU

v_pk_mul_lo_u16 v7, v8, 0x4321
// GFX11: v_pk_mul_lo_u16 v7, v8, 0x4321 ; encoding: [0x07,0x40,0x01,0xcc,0x08,0xff,0x01,0x18,0x21,0x43,0x00,0x00]
// GFX9: :[[@LINE-2]]:25: error: literal operands are not supported
// VI: :[[@LINE-3]]:1: error: instruction not supported on this GPU

v_pk_max_i16 v7, s9, s10
// GFX11: v_pk_max_i16 v7, s9, s10 ; encoding: [0x07,0x40,0x07,0xcc,0x09,0x14,0x00,0x18]
// GFX9: :[[@LINE-2]]:22: error: invalid operand (violates constant bus restrictions)
// VI: :[[@LINE-3]]:1: error: instruction not supported on this GPU
