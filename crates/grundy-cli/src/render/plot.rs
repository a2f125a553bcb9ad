//! A plot as SVG: one file that needs nothing else.

use std::fmt::Write;

use grundy::plot::{Marked, PlotSeries};

/// Columns of the plot, a pixel each.
pub const COLUMNS: u64 = 860;

const HEIGHT: f64 = 420.0;
const LEFT: f64 = 74.0;
const TOP: f64 = 58.0;
const RIGHT: f64 = 26.0;
const BOTTOM: f64 = 48.0;

/// Draws n against G(n) under a title; the line below it says what is proved.
pub fn svg(series: &PlotSeries, title: &str, note: &str) -> String {
    let width = COLUMNS as f64;
    let x_of = |n: f64| LEFT + n / (series.count.max(1) as f64) * width;
    let most = (series.max.max(1)) as f64;
    let y_of = |v: u64| TOP + HEIGHT - v as f64 / most * HEIGHT;
    let (all_width, all_height) = (LEFT + width + RIGHT, TOP + HEIGHT + BOTTOM);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {all_width} {all_height}\" width=\"{all_width}\" \
         height=\"{all_height}\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\">"
    );
    let title = escape(title);
    let _ = writeln!(out, "<title>{title}</title>");
    let _ = writeln!(out, "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>");
    let _ = writeln!(out, "<text x=\"{LEFT}\" y=\"24\" font-size=\"16\">{title}</text>");
    let _ = writeln!(out, "<text x=\"{LEFT}\" y=\"44\" fill=\"#555\">{}</text>", escape(&legend(series, note)));
    axes(&mut out, series, &x_of, &y_of);
    if series.width == 1 {
        let _ = writeln!(out, "<g fill=\"#2457a6\">");
        for (n, c) in series.columns.iter().enumerate() {
            let _ = writeln!(out, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"1.5\"/>", x_of(n as f64 + 0.5), y_of(c.max));
        }
        out += "</g>\n";
    } else {
        out += "<path stroke=\"#2457a6\" fill=\"none\" d=\"";
        for (i, c) in series.columns.iter().enumerate() {
            let x = x_of((i as f64 + 0.5) * series.width as f64);
            // a column of one value is a dot of a pixel
            let _ = write!(out, "M{x:.1} {:.1}V{:.1}", y_of(c.min) + 0.5, y_of(c.max) - 0.5);
        }
        out += "\"/>\n";
    }
    out += "<g fill=\"#c8321e\">\n";
    for marks in series.columns.iter().filter_map(|c| c.marks) {
        for (n, v) in &marks[..if marks[0] == marks[1] { 1 } else { 2 }] {
            let _ = writeln!(out, "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"2\"/>", x_of(*n as f64 + 0.5), y_of(*v));
        }
    }
    out += "</g>\n</svg>\n";
    out
}

fn axes(out: &mut String, series: &PlotSeries, x_of: &impl Fn(f64) -> f64, y_of: &impl Fn(u64) -> f64) {
    let (right, bottom) = (LEFT + COLUMNS as f64, TOP + HEIGHT);
    let _ = writeln!(out, "<g stroke=\"#ddd\">");
    for v in ticks(series.max, 6) {
        let y = y_of(v);
        let _ = writeln!(out, "<path d=\"M{LEFT} {y:.1}H{right}\"/>");
    }
    for n in ticks(series.count.saturating_sub(1), 8) {
        let x = x_of(n as f64 + 0.5);
        let _ = writeln!(out, "<path d=\"M{x:.1} {bottom}V{:.1}\" stroke=\"#555\"/>", bottom + 5.0);
    }
    let _ = writeln!(out, "</g>\n<path stroke=\"#555\" fill=\"none\" d=\"M{LEFT} {TOP}V{bottom}H{right}\"/>");
    let _ = writeln!(out, "<g text-anchor=\"end\">");
    for v in ticks(series.max, 6) {
        let _ = writeln!(out, "<text x=\"{}\" y=\"{:.1}\">{}</text>", LEFT - 8.0, y_of(v) + 4.0, short(v));
    }
    let _ = writeln!(out, "</g>\n<g text-anchor=\"middle\">");
    for n in ticks(series.count.saturating_sub(1), 8) {
        let _ = writeln!(out, "<text x=\"{:.1}\" y=\"{:.1}\">{}</text>", x_of(n as f64 + 0.5), bottom + 19.0, short(n));
    }
    let _ = writeln!(out, "<text x=\"{:.1}\" y=\"{:.1}\">n</text></g>", LEFT + COLUMNS as f64 / 2.0, bottom + 38.0);
    let _ = writeln!(out, "<text x=\"16\" y=\"{:.1}\">G(n)</text>", TOP - 8.0);
}

fn legend(series: &PlotSeries, note: &str) -> String {
    let mut parts = Vec::new();
    if !note.is_empty() {
        parts.push(note.to_owned());
    }
    if series.width > 1 {
        parts.push(format!("least to largest of each {} heaps", series.width));
    }
    match series.marked {
        Some(Marked::Rare { mask, total }) => parts.push(format!("red: rare values ({total}, mask {mask:x})")),
        Some(Marked::Once { total }) => parts.push(format!("red: values that occur only once ({total})")),
        None => {}
    }
    parts.join("; ")
}

/// At most `most` + 1 round numbers from 0 to `max`: 1, 2 or 5 times a power of ten apart.
fn ticks(max: u64, most: u64) -> Vec<u64> {
    let rough = (max / most).max(1);
    let power = 10u64.pow(rough.ilog10());
    let step = [1, 2, 5].into_iter().map(|d| power.saturating_mul(d)).find(|s| *s >= rough);
    let step = step.unwrap_or_else(|| power.saturating_mul(10));
    (0..=max / step).map(|i| i * step).collect()
}

/// A tick of ten digits and more by its power of ten.
fn short(tick: u64) -> String {
    let mut digits = tick;
    let mut power = 0;
    while digits >= 10 && digits.is_multiple_of(10) {
        digits /= 10;
        power += 1;
    }
    if tick >= 1_000_000_000 { format!("{digits}e{power}") } else { tick.to_string() }
}

pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round() {
        assert_eq!(ticks(0, 6), [0]);
        assert_eq!(ticks(9, 6), (0..=9).collect::<Vec<_>>());
        assert_eq!(ticks(284, 6), [0, 50, 100, 150, 200, 250]);
        assert_eq!(ticks(1 << 24, 8), [0, 5_000_000, 10_000_000, 15_000_000]);
        assert_eq!(
            (short(15_000_000), short(5 * 10u64.pow(18)), short(0)),
            ("15000000".into(), "5e18".into(), "0".into())
        );
        assert!(ticks(u64::MAX, 8).len() < 12);
    }
}
