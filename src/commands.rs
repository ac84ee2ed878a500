//! Shell commands that show a case again: ours, and those of stock LLVM tools.

use crate::case::Case;
use crate::codec::Window;
use crate::isa::Target;
use crate::oracle::llvm::{Cpu, padding};
use crate::text_case::TextCase;

/// How `vop3p` shows a window again.
#[must_use]
pub fn replay_window(target: Target, window: &Window, padded: bool) -> String {
    match padded {
        true => format!("vop3p diff -t {target} '{window}'"),
        false => format!("vop3p replay '{}'", Case { padded, ..Case::new(target, *window) }),
    }
}

/// How `vop3p` shows a text again.
#[must_use]
pub fn replay_text(target: Target, text: &str) -> String {
    format!("vop3p replay '{}'", TextCase::new(target, text).to_string().replace('\'', "'\\''"))
}

/// The bytes of a window as `llvm-mc -disassemble` takes them: `[0x05,0x00,…]`.
#[must_use]
pub fn llvm_bytes(window: &Window) -> String {
    bytes_text(window.bytes())
}

fn bytes_text(bytes: impl Iterator<Item = u8>) -> String {
    let bytes: Vec<String> = bytes.map(|byte| format!("{byte:#04x}")).collect();
    format!("[{}]", bytes.join(","))
}

/// A shell command that asks a stock `llvm-mc` about a window, with the fixed padding behind it unless `padded` is
/// false.
#[must_use]
pub fn stock_command(target: Target, window: &Window, padded: bool) -> String {
    let behind = if padded { padding(window) } else { &[] };
    let bytes = bytes_text(window.bytes().chain(behind.iter().flat_map(|dword| dword.to_le_bytes())));
    let cpu = Cpu { name: target.cpu(), wave64: target.has_unusual_wave() };
    let mattr = cpu.mattr().map_or(String::new(), |mattr| format!(" -mattr={mattr}"));
    format!("echo '{bytes}' | llvm-mc -disassemble -triple=amdgcn -mcpu={}{mattr}", cpu.name)
}

/// A shell command that has a stock `llvm-mc` assemble a text.
#[must_use]
pub fn stock_assembling(target: Target, text: &str) -> String {
    let cpu = Cpu { name: target.cpu(), wave64: target.has_unusual_wave() };
    let mattr = cpu.mattr().map_or(String::new(), |mattr| format!(" -mattr={mattr}"));
    let quoted = text.replace('\'', "'\\''");
    format!("echo '{quoted}' | llvm-mc -triple=amdgcn -mcpu={}{mattr} -show-encoding", cpu.name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stock_commands_give_llvm_what_we_give_it() {
        let stock =
            |cpu: &str, window: &str, padded| stock_command(cpu.parse().unwrap(), &window.parse().unwrap(), padded);
        assert_eq!(
            stock_assembling("gfx1100:w64".parse().unwrap(), "v_dot2_f32_f16 v0, 'a', v2"),
            "echo 'v_dot2_f32_f16 v0, '\\''a'\\'', v2' | llvm-mc -triple=amdgcn -mcpu=gfx1100 -mattr=+wavefrontsize64 \
             -show-encoding"
        );
        let add =
            "echo '[0xe0,0x60,0x0f,0xcc,0xe0,0x07,0x02,0x18]' | llvm-mc -disassemble -triple=amdgcn -mcpu=gfx1100";
        assert_eq!(stock("gfx1100", "cc0f60e0 180207e0", true), add);
        assert_eq!(stock("gfx1100:w64", "cc0f60e0 180207e0", true), format!("{add} -mattr=+wavefrontsize64"));
        let literal = |pad: &str| {
            let bytes = format!("0x00,0x40,0x0f,0xcc,0xff,0x02,0x02,0x18{pad}");
            format!("echo '[{bytes}]' | llvm-mc -disassemble -triple=amdgcn -mcpu=gfx1030")
        };
        assert_eq!(stock("gfx1030", "cc0f4000 180202ff", false), literal(""));
        let pad = ",0x77,0x77,0x80,0xbf".repeat(3);
        assert_eq!(stock("gfx1030", "cc0f4000 180202ff", true), literal(&pad));
    }

    #[test]
    fn what_needs_no_padding_is_replayed_as_a_case() {
        let replay = |padded| replay_window("gfx1030".parse().unwrap(), &"cc0f4000 180202ff".parse().unwrap(), padded);
        assert_eq!(replay(true), "vop3p diff -t gfx1030 'cc0f4000 180202ff'");
        assert_eq!(replay(false), "vop3p replay 'gfx1030 cc0f4000 180202ff pad=none'");
        let text = replay_text("gfx900".parse().unwrap(), "v_pk_add_f16 v0, 'a', v2");
        assert_eq!(text, "vop3p replay 'gfx900 asm: v_pk_add_f16 v0, '\\''a'\\'', v2'");
    }
}
