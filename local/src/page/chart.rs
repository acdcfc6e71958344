//! Charts over time, as SVG. The drawing is stretched to whatever room there is, so its labels stand beside it as text;
//! colours come from the style sheet, which knows light and dark.

use maud::{Markup, html};

/// The room of the drawing, in its own units.
const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 100.0;

/// One line.
pub(super) struct Series {
    pub(super) name: String,
    /// Its colour's class.
    pub(super) class: String,
    /// Seconds ago, and how much; in the order of time.
    pub(super) points: Vec<(f64, f64)>,
}

/// One chart.
pub(super) struct Chart<'a> {
    pub(super) title: &'a str,
    /// What the title leaves open.
    pub(super) about: &'a str,
    pub(super) series: Vec<Series>,
    /// How many seconds it shows.
    pub(super) span: f64,
    /// Writes an amount.
    pub(super) text: fn(f64) -> String,
    /// The least that its top stands for.
    pub(super) least: f64,
}

impl Chart<'_> {
    pub(super) fn draw(&self) -> Markup {
        let largest = self.series.iter().flat_map(|series| &series.points).map(|&(_, y)| y).fold(self.least, f64::max);
        let top = rounded_up(largest);
        html! {
            figure.chart {
                figcaption { b { (self.title) } " " span.muted { (self.about) } }
                div.plot {
                    div.scale aria-hidden="true" {
                        span { ((self.text)(top)) } span { ((self.text)(top / 2.0)) } span { ((self.text)(0.0)) }
                    }
                    svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } preserveAspectRatio="none" role="img"
                        aria-label={ (self.title) " over the last " (minutes(self.span)) } {
                        @for y in [0.0, HEIGHT / 2.0, HEIGHT] {
                            line.grid x1="0" x2=(WIDTH) y1=(y) y2=(y) {}
                        }
                        @for series in self.series.iter().filter(|series| series.points.len() > 1) {
                            @let line = self.line(series, top);
                            path class={ "area " (series.class) } d={ "M" (self.ends(series)) "L" (line) "Z" } {}
                            path class={ "line " (series.class) } d={ "M" (line) } {}
                        }
                    }
                }
                div.ticks aria-hidden="true" { span { (minutes(self.span)) " ago" } span { "now" } }
                ul.legend {
                    @for series in &self.series {
                        li { span class={ "dot " (series.class) } {} (series.name) " "
                            b { ((self.text)(series.points.last().map_or(0.0, |&(_, y)| y))) } }
                    }
                }
            }
        }
    }

    fn line(&self, series: &Series, top: f64) -> String {
        let at = |&(ago, y): &(f64, f64)| format!("{:.1},{:.2}", self.x(ago), HEIGHT * (1.0 - y / top));
        series.points.iter().map(at).collect::<Vec<_>>().join(" ")
    }

    /// The corners below the last and the first point.
    fn ends(&self, series: &Series) -> String {
        let at = |point: Option<&(f64, f64)>| self.x(point.map_or(0.0, |&(ago, _)| ago));
        format!("{:.1},{HEIGHT} {:.1},{HEIGHT} ", at(series.points.last()), at(series.points.first()))
    }

    fn x(&self, ago: f64) -> f64 {
        WIDTH * (1.0 - (ago / self.span).clamp(0.0, 1.0))
    }
}

/// The next number that is easily halved.
fn rounded_up(n: f64) -> f64 {
    let power = 10_f64.powf(n.max(1e-9).log10().floor());
    let steps = [1.0, 2.0, 4.0, 6.0, 8.0, 10.0];
    steps.into_iter().map(|step| step * power).find(|&step| step >= n * 0.999_999).unwrap_or(10.0 * power)
}

fn minutes(seconds: f64) -> String {
    format!("{:.0} min", seconds / 60.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_ends_at_a_round_number() {
        for (n, top) in [(1.0, 1.0), (3.0, 4.0), (4.1, 6.0), (84.0, 100.0), (1001.0, 2000.0), (0.3, 0.4)] {
            assert!((rounded_up(n) - top).abs() < 1e-9, "{n}: {}", rounded_up(n));
        }
    }

    #[test]
    fn a_line_runs_from_left_to_right_and_nothing_of_a_name_is_markup() {
        let series = Series { name: "<b>".to_owned(), class: "c0".to_owned(), points: vec![(60.0, 0.0), (0.0, 4.0)] };
        let text = |n: f64| n.to_string();
        let chart = Chart { title: "Queued", about: "", series: vec![series], span: 60.0, text, least: 4.0 };
        let drawn = chart.draw().into_string();
        assert!(drawn.contains("M0.0,100.00 1000.0,0.00"), "{drawn}");
        assert!(drawn.contains("&lt;b&gt;") && !drawn.contains("<b><"), "{drawn}");
    }
}
