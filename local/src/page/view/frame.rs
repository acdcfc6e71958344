//! The frame around every view: its head, the search, and what refreshes it.

use maud::{DOCTYPE, Markup, html};

/// A page: `state` stands in its bar, `live` is its content. Both are replaced while it is looked at.
pub(super) fn page(title: &str, state: &Markup, live: &Markup) -> Markup {
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · Pushwake" }
                link rel="icon" href="data:,";
                link rel="stylesheet" href="/page.css";
                script src="/page.js" defer {}
                noscript { meta http-equiv="refresh" content="2"; }
            }
            body {
                header {
                    div.bar {
                        a.brand href="/" { span.mark aria-hidden="true" { "⇶" } " Pushwake" }
                        (state)
                    }
                    (search())
                }
                p #gone .banner.bad hidden { "Nothing answers here any more. Start the stack again with " code { "cargo run -- up" } "." }
                main #live { (live) }
            }
        }
    }
}

/// A view that is nothing but a sentence.
pub(in crate::page) fn said(text: &str) -> Markup {
    page("?", &html! { span #state {} }, &html! { p.banner { (text) } p { a href="/" { "Back to the overview" } } })
}

fn search() -> Markup {
    html! {
        div.search {
            form action="/event" role="search" {
                input name="event" placeholder="event" aria-label="event" required autocomplete="off";
                input name="source" placeholder="source (any)" aria-label="source" autocomplete="off";
                button { "Find event" }
            }
            form action="/device" role="search" {
                input name="device" placeholder="device" aria-label="device" required autocomplete="off";
                input name="app" placeholder="app (any)" aria-label="app" autocomplete="off";
                button { "Find device" }
            }
        }
    }
}

/// A card with a heading.
pub(super) fn card(id: &str, title: &str, about: &Markup, content: &Markup) -> Markup {
    html! {
        section.card id=(id) { h2 { (title) " " small { (about) } } (content) }
    }
}

/// A table in a card; it scrolls by itself where it is too wide.
pub(super) fn table(columns: &[&str], rows: &[Markup], none: &str) -> Markup {
    html! {
        @if rows.is_empty() {
            p.none { (none) }
        } @else {
            div.wide { table {
                thead { tr { @for column in columns { th scope="col" { (column) } } } }
                tbody { @for row in rows { tr { (row) } } }
            } }
        }
    }
}
