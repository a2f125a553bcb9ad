//! Why vertices have what they have, as JSON.

use serde_json::{Value, json};

use super::integer;
use crate::{
    graph::GraphAnswer,
    reasons::{Explained, How, Reason},
};

/// The field `explanation` of `graph`: an object a vertex, in the order of the reasons.
pub fn explanation(answer: &GraphAnswer, reasons: &[Explained]) -> Value {
    reasons.iter().map(|e| one(answer, e)).collect()
}

fn one(answer: &GraphAnswer, Explained { vertex, reason }: &Explained) -> Value {
    let name = |v: &u32| answer.file.names.get(*v).into_owned();
    let followers = |all: &[(u64, u32)]| -> Value {
        all.iter().map(|(value, v)| json!({"value": integer((*value).into()), "vertex": name(v)})).collect()
    };
    let vertex = name(vertex);
    match reason {
        Reason::Mex { value, followers: all, back } => {
            let back: Value = back.iter().map(|(from, to)| json!({"follower": name(from), "to": name(to)})).collect();
            let value = integer((*value).into());
            json!({"vertex": vertex, "reason": "mex", "value": value, "followers": followers(all), "back": back})
        }
        Reason::Infinite { value, followers: all, way_on } => json!({
            "vertex": vertex, "reason": "infinite", "value": value.to_string(), "followers": followers(all),
            "way_on": name(way_on),
        }),
        Reason::End { outcome } => {
            json!({"vertex": vertex, "reason": "end", "outcome": outcome.word(), "remoteness": 0})
        }
        Reason::Wins { remoteness, to } => {
            json!({"vertex": vertex, "reason": "wins", "outcome": "N", "remoteness": remoteness, "to": name(to)})
        }
        Reason::Loses { remoteness, last } => {
            json!({"vertex": vertex, "reason": "loses", "outcome": "P", "remoteness": remoteness, "last": name(last)})
        }
        Reason::Draws { to } => json!({"vertex": vertex, "reason": "draws", "outcome": "Draw", "to": name(to)}),
        Reason::Game { winner, how, to } => {
            let (word, distance, round) = match *how {
                How::Decided => ("decided", None, None),
                How::Nearer { distance, round } => ("nearer", Some(distance), round),
                How::Avoids { round } => ("avoids", None, round),
                How::Again => ("again", None, None),
                How::Cycles => ("cycles", None, None),
            };
            json!({
                "vertex": vertex, "reason": word, "winner": winner, "to": to.as_ref().map(name), "distance": distance,
                "round": round,
            })
        }
    }
}
