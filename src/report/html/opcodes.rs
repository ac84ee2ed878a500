//! The map: how often which opcode differs on which target.

use maud::{Markup, html};

use super::index::{Column, Index, Row, Sweep};
use super::number::{compact, grouped};
use super::text::plain;
use crate::isa::Generation;

/// The section.
pub fn section(index: &Index<'_>) -> Markup {
    let Some(main) = index.sweeps.get(index.main) else { return html! {} };
    let alike = index.columns.iter().filter(|column| column.alike.is_some()).count();
    let rows: Vec<(usize, &Row)> = index.rows.iter().enumerate().collect();
    let quiet = (0..index.rows.len()).filter(|row| !differs(main, *row)).count();
    html! {
        section id="opcodes" tabindex="-1" aria-labelledby="opcodes-title" {
            h2 id="opcodes-title" { "Opcodes × targets" }
            p {
                "Differences, known ones included, on "
                span .plain-only { "LLVM " (plain(&main.label)) "." }
                (choice_of_sweep(index))
                span .script-only {
                    " A cell picks the causes behind its number; arrow keys move from cell to cell. The numbers \
                     follow the filters."
                }
            }
            @if quiet > 0 && quiet < index.rows.len() {
                input .option type="checkbox" id="all-opcodes";
                label for="all-opcodes" {
                    "with the opcodes that do not differ (" span id="quiet" { (quiet) } " of " (index.rows.len()) ")"
                }
            }
            @if alike > 0 {
                input .option type="checkbox" id="all-targets";
                label for="all-targets" {
                    "with the targets that answer like a shown one (" (alike) " of " (index.columns.len()) ")"
                }
            }
            (key())
            div .stage {
              div .box tabindex="0" role="region" aria-label="Opcodes by targets" {
                table .map id="map" data-quiet=(quiet == index.rows.len()) {
                    caption .unseen { "Differences by opcode and target" }
                    (header(index))
                    @for rows in rows.chunk_by(|a, b| a.1.family == b.1.family) { (family(index, main, rows)) }
                }
              }
              p .readout.script-only id="readout" role="status" { }
            }
        }
    }
}

/// Which sweep the map shows.
fn choice_of_sweep(index: &Index<'_>) -> Markup {
    html! {
        label .script-only {
            span .unseen { "LLVM of the map" }
            select id="sweep" autocomplete="off" {
                @for (place, sweep) in index.sweeps.iter().enumerate() {
                    option value=(place) selected[place == index.main] { "LLVM " (plain(&sweep.label)) }
                }
            }
        }
    }
}

/// What the cells mean.
fn key() -> Markup {
    html! {
        ul .key aria-label="Key" {
            li { span .cell { "·" } " no difference" }
            li {
                span .cell.h1 { "7" } span .cell.h2 { "70" } span .cell.h3 { "700" } span .cell.h4 { "7.0k" }
                " differences, all known"
            }
            li { span .cell.n { "7" } " some of them new" }
            li { span .cell.u { "–" } " not swept" }
            li { span .cell.x { } " no such opcode" }
        }
    }
}

fn header(index: &Index<'_>) -> Markup {
    let columns: Vec<&Column> = index.columns.iter().collect();
    let generations: Vec<&[&Column]> = columns.chunk_by(|a, b| generation(a) == generation(b)).collect();
    html! {
        thead {
            tr {
                th .corner rowspan="2" scope="col" { "Opcode" }
                @for columns in &generations {
                    @let name = columns.first().map_or("", |column| column.target.rules().name);
                    @let shown = columns.iter().filter(|column| column.alike.is_none()).count();
                    @if shown == columns.len() {
                        th .generation scope="colgroup" colspan=(columns.len()) { (name) }
                    } @else {
                        th .generation.all scope="colgroup" colspan=(columns.len()) { (name) }
                        @if shown > 0 { th .generation.few scope="colgroup" colspan=(shown) { (name) } }
                    }
                }
            }
            tr {
                @for (place, column) in index.columns.iter().enumerate() {
                    @let title = column.alike.map(|like| format!("answers like {like}"));
                    th .(edge(index, place)) scope="col" title=[title] { span { (column.target) } }
                }
            }
        }
    }
}

fn generation(column: &Column) -> Generation {
    column.target.generation()
}

/// The classes of a column: `a` of one that another stands for, `g` where a generation begins, `s` where what is shown
/// of it at first begins.
fn edge(index: &Index<'_>, place: usize) -> String {
    let column = &index.columns[place];
    let before = || index.columns[..place].iter().filter(|other| generation(other) == generation(column));
    let mut classes = Vec::new();
    if column.alike.is_some() {
        classes.push("a");
    }
    if before().next().is_none() {
        classes.push("g");
    }
    if column.alike.is_none() && before().all(|other| other.alike.is_some()) {
        classes.push("s");
    }
    classes.join(" ")
}

fn family(index: &Index<'_>, main: &Sweep<'_>, rows: &[(usize, &Row)]) -> Markup {
    let loud = rows.iter().filter(|(place, _)| differs(main, *place)).count();
    let name = rows.first().map_or("", |(_, row)| row.family);
    let edges: Vec<String> = (0..index.columns.len()).map(|place| edge(index, place)).collect();
    html! {
        tbody .quiet[loud == 0] {
            tr .family {
                th scope="rowgroup" colspan=(index.columns.len() + 1) {
                    span { (name) " " small { (rows.len()) } }
                }
            }
            @for (place, row) in rows {
                tr .quiet[!differs(main, *place)] data-row=(place) {
                    th scope="row" { (plain(&row.name)) }
                    @for (column, edge) in edges.iter().enumerate() {
                        (cell(index, main, *place, column, edge))
                    }
                }
            }
        }
    }
}

fn differs(sweep: &Sweep<'_>, row: usize) -> bool {
    sweep.seen.range((row, 0)..(row + 1, 0)).next().is_some()
}

/// One cell. The script makes the same of the data, for other sweeps and under filters.
fn cell(index: &Index<'_>, sweep: &Sweep<'_>, row: usize, column: usize, edge: &str) -> Markup {
    let Some(causes) = sweep.seen.get(&(row, column)) else {
        let (class, text) = match (index.rows[row].on[column], sweep.has(index.columns[column].target)) {
            (false, _) => ("x", ""),
            (true, false) => ("u", "–"),
            (true, true) => ("", "·"),
        };
        let class = [class, edge].join(" ");
        let class = class.trim();
        return html! { td class=[(!class.is_empty()).then_some(class)] { (text) } };
    };
    let total = causes.iter().map(|(_, count)| count).sum();
    let is_new = causes.iter().any(|(cause, _)| index.causes[*cause].is_new());
    let title: Vec<String> = causes
        .iter()
        .map(|(cause, count)| format!("cause {}: {}", index.causes[*cause].number, grouped(*count)))
        .collect();
    html! {
        td class={ (heat(total)) @if is_new { " n" } @if !edge.is_empty() { " " (edge) } } title=(title.join(", ")) {
            (compact(total))
        }
    }
}

/// How much, by digits: `h1` to `h4`.
fn heat(count: u64) -> &'static str {
    match count {
        0..10 => "h1",
        10..100 => "h2",
        100..1_000 => "h3",
        _ => "h4",
    }
}
