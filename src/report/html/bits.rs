//! The bits of a window, a box a field, coloured by what the field is; what a cause needs is framed.

use maud::{Markup, html};

use super::cause::need_text;
use crate::codec::Window;
use crate::isa::Target;
use crate::report::fields::{FieldView, fields};
use crate::triage::cluster::Need;

/// Characters that fit into the width of a bit.
const ROOM: usize = 3;

/// One box of the picture: its highest bit, its width, the field's place in the list, and the bits that are needed.
struct Box {
    hi: u8,
    width: u8,
    field: Option<usize>,
    needed: u32,
}

/// The picture and the list of the fields.
pub fn bits(target: Target, window: &Window, needs: &[Need]) -> Markup {
    let fields = fields(target, window);
    let needed: Vec<u32> = fields.iter().map(|field| needed_bits(field, needs, &fields)).collect();
    html! {
        figure .bits {
            @for (index, dword) in window.dwords().iter().enumerate() {
                div .dword aria-hidden="true" {
                    @let boxes = boxes(&fields, &needed, index as u8);
                    span .name {
                        "dword " (index) " " code { (format!("{dword:08x}")) }
                        @if boxes.iter().all(|one| one.field.is_none()) { ", not part of the instruction" }
                    }
                    @if boxes.iter().any(|one| one.field.is_some()) {
                        div .row { @for one in &boxes { (picture(one, *dword, &fields)) } }
                    }
                }
            }
            figcaption {
                @for (field, _) in fields.iter().zip(&needed).filter(|(_, bits)| **bits != 0) {
                    span .needed {
                        span class={ "swatch " (class(field)) } { } " needs "
                        code { (field.name) " = " (field.raw_text()) }
                        @if !field.meaning.is_empty() { " " (field.meaning) }
                    }
                }
                details .legend {
                    summary { "All " (fields.len()) " fields" }
                    (legend(&fields, &needed, needs))
                }
            }
        }
    }
}

fn picture(one: &Box, dword: u32, fields: &[FieldView]) -> Markup {
    let lo = one.hi + 1 - one.width;
    let field = one.field.and_then(|place| fields.get(place));
    let label = field.map_or("", |field| field.label(usize::from(one.width) * ROOM));
    let title = field.map(|field| format!("{} {} = {}: {}", field.bits(), field.name, field.raw_text(), field.meaning));
    html! {
        span class={ "f " (field.map_or("none", class)) @if one.needed != 0 { " need" } }
            style={ "--w:" (one.width) } title=[title]
        {
            span .ends.one[one.width == 1] { (one.hi) @if one.width > 1 { span { (lo) } } }
            span .digits {
                @for bit in (0..one.width).rev() {
                    @let digit = dword >> ((lo + bit) % 32) & 1;
                    @if one.needed >> bit & 1 == 1 { b { (digit) } } @else { i { (digit) } }
                }
            }
            span .label { (label) }
        }
    }
}

fn legend(fields: &[FieldView], needed: &[u32], needs: &[Need]) -> Markup {
    html! {
        table {
            thead {
                tr {
                    th scope="col" { "bits" } th scope="col" { "field" } th scope="col" { "holds" }
                    th scope="col" { "that is" }
                }
            }
            tbody {
                @for (field, bits) in fields.iter().zip(needed) {
                    tr {
                        td { (field.bits()) }
                        th scope="row" { span class={ "swatch " (class(field)) } { } " " (field.name) }
                        td { (field.raw_text()) }
                        td {
                            (field.meaning)
                            @for need in needs.iter().filter(|need| *bits != 0 && is_of(field, need, fields)) {
                                " " strong { "needed: " (need_text(need)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The boxes of a dword, highest bit first. Bits of no field are boxes, too.
fn boxes(fields: &[FieldView], needed: &[u32], index: u8) -> Vec<Box> {
    let mut found: Vec<Box> = Vec::new();
    for (place, (field, needed)) in fields.iter().zip(needed).enumerate() {
        let mut below = 0;
        for (lo, width) in &field.parts {
            if lo / 32 == index {
                let part = u32::MAX >> (32 - (*width).clamp(1, 32));
                let needed = needed.checked_shr(below).unwrap_or(0) & part;
                found.push(Box { hi: lo + width - 1, width: *width, field: Some(place), needed });
            }
            below += u32::from(*width);
        }
    }
    found.sort_by_key(|one| one.hi);
    let mut boxes = Vec::new();
    let mut next = index * 32;
    for one in found {
        let lo = one.hi + 1 - one.width;
        if lo > next {
            boxes.push(Box { hi: lo - 1, width: lo - next, field: None, needed: 0 });
        }
        next = one.hi + 1;
        boxes.push(one);
    }
    let end = index * 32 + 32;
    if next < end {
        boxes.push(Box { hi: end - 1, width: end - next, field: None, needed: 0 });
    }
    boxes.reverse();
    boxes
}

/// The bits of a field that the needs name.
fn needed_bits(field: &FieldView, needs: &[Need], fields: &[FieldView]) -> u32 {
    let width: u32 = field.parts.iter().map(|(_, width)| u32::from(*width)).sum();
    let all = u32::MAX.checked_shr(32 - width.min(32)).unwrap_or(0);
    let bits = needs.iter().filter(|need| is_of(field, need, fields));
    bits.fold(0, |bits, need| bits | if need.bits == 0 { all } else { need.bits & all })
}

/// Whether a need speaks of the field: by its name; by its name within its word where no field has the whole name; of
/// any source, of those that fulfil it, where any does.
fn is_of(field: &FieldView, need: &Need, fields: &[FieldView]) -> bool {
    if need.field == "src" {
        let fulfils = |field: &FieldView| is_source(field) && holds(&need.values, field.raw & need.bits);
        return fulfils(field) || (is_source(field) && !fields.iter().any(fulfils));
    }
    field.name == need.field || (field.own_name() == need.field && fields.iter().all(|other| other.name != need.field))
}

fn is_source(field: &FieldView) -> bool {
    matches!(field.own_name(), "src0" | "src1" | "src2")
}

/// Whether a value is among those that a text names: `1`, `209-229`, `0x80, 255`.
fn holds(values: &str, value: u32) -> bool {
    let number = |text: &str| match text.trim().strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.trim().parse().ok(),
    };
    values.split(',').any(|part| match part.split_once('-') {
        Some((first, last)) => match (number(first), number(last)) {
            (Some(first), Some(last)) => (first..=last).contains(&value),
            _ => false,
        },
        None => number(part) == Some(value),
    })
}

/// The class of its colour.
fn class(field: &FieldView) -> &'static str {
    match field.own_name() {
        "prefix" => "f-prefix",
        "op" => "f-op",
        "vdst" => "f-vdst",
        "src0" | "vsrc0" => "f-src0",
        "src1" => "f-src1",
        "src2" => "f-src2",
        "op_sel" | "op_sel_hi" => "f-select",
        "neg" | "neg_lo" | "neg_hi" => "f-neg",
        "clamp" => "f-clamp",
        "literal" => "f-literal",
        "dpp_ignored" | "dpp_reserved" => "f-prefix",
        "lanes" | "dpp_ctrl" | "fi" | "bound_ctrl" | "bank_mask" | "row_mask" => "f-dpp",
        _ => "f-other",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn need(field: &str, bits: u32, values: &str) -> Need {
        Need { field: field.to_owned(), bits, values: values.to_owned() }
    }

    #[test]
    fn every_bit_is_in_one_box_and_the_needed_ones_are_bold() {
        let (target, window) = ("gfx900".parse().unwrap(), "d3a04005 040e0480".parse().unwrap());
        let html = bits(target, &window, &[need("op_sel_hi", 0b100, "1")]).into_string();
        // 32 digits a dword; op_sel_hi[2] is bit 14, the other two are bits 60:59.
        assert_eq!(html.matches("<i>").count() + html.matches("<b>").count(), 64);
        assert_eq!(html.matches("<b>1</b>").count(), 1);
        assert_eq!(html.matches(" need\"").count(), 1);
        assert!(
            html.contains("class=\"f f-select need\" style=\"--w:1\" title=\"14,60:59 op_sel_hi = 0b100: "),
            "{html}"
        );
        assert!(html.contains("style=\"--w:9\" title=\"40:32 src0 = 128: constant 0, b32\""), "{html}");
        assert!(html.contains("<strong>needed: op_sel_hi[2] = 1</strong>"), "{html}");
    }

    #[test]
    fn bits_of_no_field_have_a_box() {
        // A word cut short lacks src0 and what lies across both dwords.
        let boxes_of = |window: &str, index| {
            let (target, window) = ("gfx900".parse().unwrap(), window.parse().unwrap());
            let fields = fields(target, &window);
            let needed = vec![0; fields.len()];
            let boxes = boxes(&fields, &needed, index);
            assert_eq!(boxes.iter().map(|one| u32::from(one.width)).sum::<u32>(), 32, "{window} {index}");
            boxes.iter().map(|one| (one.hi, one.width, one.field.is_some())).collect::<Vec<_>>()
        };
        assert!(boxes_of("d3a00005", 0).contains(&(14, 1, false)));
        assert_eq!(boxes_of("d3a00005 040e0480 00000001", 2), [(95, 32, false)]);
    }

    #[test]
    fn a_need_of_any_source_frames_the_one_that_has_it() {
        let (target, window) = ("gfx1100".parse().unwrap(), "cc0f4000 180202d1".parse().unwrap());
        let fields = fields(target, &window);
        let framed = |values: &str| -> Vec<&str> {
            let needs = [need("src", 0x1ff, values)];
            fields.iter().filter(|field| needed_bits(field, &needs, &fields) != 0).map(|field| field.name).collect()
        };
        assert_eq!(framed("209-229"), ["src0"]);
        assert_eq!(framed("1, 0xd1"), ["src0"]);
        assert_eq!(framed("77"), ["src0", "src1", "src2"], "nothing says which");
    }
}
