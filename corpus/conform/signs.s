// Where LLVM and AMD's documents differ; written for this crate.
// RUN: llvm-mc -triple=amdgcn -mcpu=gfx1100 -show-encoding %s | FileCheck %s

v_dot4_i32_iu8 v7, v8, v9, v10 neg_lo:[1,0,0]
// CHECK: v_dot4_i32_iu8 v7, v8, v9, v10 neg_lo:[1,0,0] ; encoding: [0x07,0x40,0x16,0xcc,0x08,0x13,0x2a,0x3c]

v_dot4_i32_iu8 v7, v8, v9, v10 neg_lo:[1,0,1]
// CHECK: v_dot4_i32_iu8 v7, v8, v9, v10 neg_lo:[1,0,1] ; encoding: [0x07,0x40,0x16,0xcc,0x08,0x13,0x2a,0xbc]

.macro twice d
v_pk_add_u16 \d, \d, \d
.endm
