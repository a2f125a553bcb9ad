//! A small graph with its answers as SVG: one file that needs nothing else. What colours say, letters and shapes say too.

use std::fmt::Write;

use grundy::{
    drawing::{Drawing, Line, Point, TooLarge, Way, draw},
    graph::{GraphAnswer, GraphObjective, Vertices},
};
use grundy_core::theory::{Outcome, parity_game::Objective};

use super::plot::escape;

/// Half the height of a vertex.
const RADIUS: f64 = 16.0;
/// Width of a letter, about.
const LETTER: f64 = 7.0;
/// Most letters of a name below its vertex; pointing at the vertex shows all of it.
const NAME: usize = 24;
/// How far a loop reaches out.
const LOOP: f64 = 20.0;
/// Where the drawing begins, below the title.
const TOP: f64 = 40.0;

const LOST: &str = "#f6c9bb";
const WON: &str = "#c2e5c9";
const DRAWN: &str = "#e6e6e6";
const ZERO: &str = "#bcd9f7";
const ONE: &str = "#f9dca6";

/// What is written in a vertex and said of it.
struct Look {
    inside: String,
    fill: &'static str,
    /// Drawn as a box, for player 1 or a long value.
    is_box: bool,
    is_target: bool,
    name: String,
    says: String,
}

impl Look {
    /// Half the width of the shape.
    fn half(&self) -> f64 {
        let text = LETTER * self.inside.chars().count() as f64 / 2.0 + 6.0;
        if self.is_box { text.max(RADIUS) } else { RADIUS }
    }

    /// Room that the shape and the name take.
    fn width(&self) -> f64 {
        (2.0 * self.half()).max(LETTER * self.label().chars().count() as f64)
    }

    fn label(&self) -> String {
        if self.name.chars().count() <= NAME {
            return self.name.clone();
        }
        self.name.chars().take(NAME - 1).chain(['…']).collect()
    }
}

/// Draws the graph of an answer.
///
/// # Errors
/// It is too large.
pub fn svg(answer: &GraphAnswer, title: &str) -> Result<String, TooLarge> {
    let graph = &answer.file.graph;
    let looks: Vec<Look> = (0..graph.vertices() as u32).map(|v| look(answer, v)).collect();
    let room = |(v, look): (u32, &Look)| look.width() + if graph.successors(v).contains(&v) { LOOP } else { 0.0 };
    let widths: Vec<f64> = (0..).zip(&looks).map(room).collect();
    let drawing = draw(graph, &widths)?;
    let legend = legend(answer, &looks);
    let text = [title].into_iter().chain(legend.iter().map(String::as_str)).map(|l| l.chars().count()).max();
    let width = drawing.size.x.max(16.0 + LETTER * text.unwrap_or(0) as f64);
    let height = TOP + drawing.size.y + 18.0 * legend.len() as f64 + 12.0;
    let title = escape(title);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
         height=\"{height:.0}\" role=\"img\" aria-labelledby=\"title legend\" font-family=\"sans-serif\" font-size=\"12\">"
    );
    let _ = writeln!(out, "<title id=\"title\">{title}</title>");
    let _ = writeln!(out, "<desc id=\"legend\">{}</desc>", escape(&legend.join(" ")));
    out += "<defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" markerHeight=\"8\" \
            markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 0 8 4 0 8Z\"/></marker></defs>\n";
    let _ = writeln!(out, "<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>");
    let _ = writeln!(out, "<text x=\"8\" y=\"24\" font-size=\"16\">{title}</text>");
    let left = (width - drawing.size.x) / 2.0;
    let _ = writeln!(out, "<g transform=\"translate({left:.1} {TOP})\">");
    let _ = writeln!(out, "<g stroke=\"#000\" fill=\"none\">");
    for line in &drawing.lines {
        let bold = if is_strategy(answer, line) { " stroke-width=\"3\"" } else { "" };
        let _ = writeln!(out, "<path d=\"{}\"{bold} marker-end=\"url(#arrow)\"/>", path(&drawing, &looks, line));
    }
    out += "</g>\n<g text-anchor=\"middle\">\n";
    for (place, look) in drawing.places.iter().zip(&looks) {
        vertex(&mut out, *place, look);
    }
    out += "</g>\n</g>\n";
    for (i, text) in legend.iter().enumerate() {
        let y = TOP + drawing.size.y + 18.0 * i as f64 + 12.0;
        let _ = writeln!(out, "<text x=\"8\" y=\"{y:.1}\" fill=\"#333\">{}</text>", escape(text));
    }
    out += "</svg>\n";
    Ok(out)
}

fn look(answer: &GraphAnswer, v: u32) -> Look {
    let file = &answer.file;
    let at = v as usize;
    // XML has no place for control characters
    let name: String = file.names.get(v).chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    let by_outcome = |outcome| match outcome {
        Outcome::P => LOST,
        Outcome::N => WON,
        Outcome::Draw => DRAWN,
    };
    let mut look =
        Look { inside: String::new(), fill: "#fff", is_box: false, is_target: false, name, says: String::new() };
    match &answer.vertices {
        None => {}
        Some(Vertices::Values(values)) => {
            look.inside = values[at].to_string();
            look.fill = by_outcome(values[at].outcome());
            look.is_box = look.inside.chars().count() > 3;
            look.says = format!("{}: value {}, {}", look.name, look.inside, values[at].outcome().word());
        }
        Some(Vertices::Outcomes(all)) => {
            let outcome = all[at].outcome;
            look.inside = outcome.word().chars().take(1).collect();
            look.fill = by_outcome(outcome);
            look.says = format!("{}: {}", look.name, outcome.word());
            if outcome != Outcome::Draw {
                let _ = write!(look.says, " in {}", all[at].remoteness);
            }
        }
        Some(Vertices::Winners(solution)) => {
            let (winner, owner) = (solution.winner[at], file.owner.as_ref().map_or(0, |o| o[at]));
            look.inside = winner.to_string();
            look.fill = [ZERO, ONE][usize::from(winner == 1)];
            look.is_box = owner == 1;
            look.is_target = is_target(answer, at);
            look.says = format!("{}: player {owner} moves, player {winner} wins", look.name);
            if let (GraphObjective::Game(Objective::Parity), Some(priority)) = (answer.objective, &file.priority) {
                let _ = write!(look.says, ", priority {}", priority[at]);
                let _ = write!(look.name, " ({})", priority[at]);
            }
            if let Some(to) = solution.strategy[at] {
                let _ = write!(look.says, " by moving to {}", file.names.get(to));
            }
        }
    }
    look
}

/// Whether a vertex is a target, or green, where the game asks for that.
pub(super) fn is_target(answer: &GraphAnswer, v: usize) -> bool {
    match (answer.objective, &answer.file.target, &answer.file.priority) {
        (GraphObjective::Game(Objective::Parity), ..) => false,
        (_, Some(target), _) => target[v],
        (_, None, Some(priority)) => priority[v].is_multiple_of(2),
        _ => false,
    }
}

fn is_strategy(answer: &GraphAnswer, line: &Line) -> bool {
    matches!(&answer.vertices, Some(Vertices::Winners(s)) if s.strategy[line.from as usize] == Some(line.to))
}

/// Lines below the drawing that say how to read it.
fn legend(answer: &GraphAnswer, looks: &[Look]) -> Vec<String> {
    let mut lines: Vec<String> = match &answer.vertices {
        None => vec!["Nothing was decided within the limits.".into()],
        Some(Vertices::Values(_)) => vec![
            "In each vertex its value. Red: 0, lost for whoever is to move. Green: won. Grey: inf(…) without 0, a draw.".into(),
        ],
        Some(Vertices::Outcomes(_)) => {
            vec!["N (green): who is to move wins. P (red): who is to move loses. D (grey): a draw.".into()]
        }
        Some(Vertices::Winners(_)) => vec![
            "Circle: player 0 moves. Box: player 1 moves. In each vertex the winner, blue: 0, yellow: 1.".into(),
            "Bold: a move of the winner's strategy.".into(),
        ],
    };
    if looks.iter().any(|l| l.is_target) {
        lines.push("Double border: a target, or green.".into());
    }
    if answer.objective == GraphObjective::Game(Objective::Parity) {
        lines.push("Behind each name its priority.".into());
    }
    lines
}

fn vertex(out: &mut String, Point { x, y }: Point, look: &Look) {
    let _ = writeln!(out, "<g stroke=\"#000\" fill=\"{}\"><title>{}</title>", look.fill, escape(&look.says));
    let mut shape = |inset: f64| {
        let (half, radius) = (look.half() - inset, RADIUS - inset);
        let _ = if look.is_box {
            let (x, y, width, height) = (x - half, y - radius, 2.0 * half, 2.0 * radius);
            writeln!(out, "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\"/>")
        } else {
            writeln!(out, "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\"/>")
        };
    };
    shape(0.0);
    if look.is_target {
        shape(3.0);
    }
    let (inside, below) = (y + 4.5, y + RADIUS + 13.0);
    let _ = writeln!(
        out,
        "<text x=\"{x:.1}\" y=\"{inside:.1}\" stroke=\"none\" fill=\"#000\">{}</text>\
         <text x=\"{x:.1}\" y=\"{below:.1}\" stroke=\"#fff\" stroke-width=\"3\" paint-order=\"stroke\" fill=\"#000\" \
         font-size=\"11\">{}</text></g>",
        escape(&look.inside),
        escape(&look.label()),
    );
}

/// The way of an edge from border to border.
fn path(drawing: &Drawing, looks: &[Look], line: &Line) -> String {
    let [from, to] = [line.from, line.to].map(|v| drawing.places[v as usize]);
    let [look, other] = [line.from, line.to].map(|v| &looks[v as usize]);
    if line.way == Way::Loop {
        let (right, y) = (from.x + look.half(), from.y);
        let (out, above, below) = (right + 1.3 * LOOP, y - 24.0, y + 24.0);
        return format!("M{right:.1} {:.1}C{out:.1} {above:.1} {out:.1} {below:.1} {right:.1} {:.1}", y - 5.0, y + 5.0);
    }
    if !line.through.is_empty() {
        // through the layers, upright where it passes one
        let end = if line.way == Way::Down { RADIUS } else { -RADIUS };
        let mut at = Point { y: from.y + end, ..from };
        let mut path = format!("M{:.1} {:.1}", at.x, at.y);
        for next in line.through.iter().copied().chain([Point { y: to.y - end, ..to }]) {
            let middle = (at.y + next.y) / 2.0;
            let _ = write!(path, "C{:.1} {middle:.1} {:.1} {middle:.1} {:.1} {:.1}", at.x, next.x, next.x, next.y);
            at = next;
        }
        return path;
    }
    // what has a counterpart keeps out of its way: level edges above or below the layer, edges upwards in a bow
    let distance = (to.x - from.x).hypot(to.y - from.y);
    let bow = match line.way {
        Way::Level => 14.0 + 0.15 * distance,
        Way::Up => 10.0 + 0.1 * distance,
        _ => 0.0,
    };
    let (ahead, aside) = ((to.x - from.x) / distance, (to.y - from.y) / distance);
    let middle = Point { x: (from.x + to.x) / 2.0 + 2.0 * bow * aside, y: (from.y + to.y) / 2.0 - 2.0 * bow * ahead };
    let (start, end) = (border(from, middle, look), border(to, middle, other));
    format!("M{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}", start.x, start.y, middle.x, middle.y, end.x, end.y)
}

/// Where the way from the middle of a vertex towards a point leaves its shape.
fn border(at: Point, towards: Point, look: &Look) -> Point {
    let (dx, dy) = (towards.x - at.x, towards.y - at.y);
    let share = if look.is_box { (look.half() / dx.abs()).min(RADIUS / dy.abs()) } else { RADIUS / dx.hypot(dy) };
    Point { x: at.x + share * dx, y: at.y + share * dy }
}
