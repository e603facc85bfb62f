//! Answers for kafka-protocol: its enums decode the body of a message and encode it again.

use std::io::{self, BufRead, Write};
use std::panic::{self, AssertUnwindSafe};

use bytes::{Bytes, BytesMut};
use kafka_protocol::messages::{ApiKey, RequestKind, ResponseKind};
use serde_json::{json, Value};

fn reencode(key: ApiKey, is_request: bool, version: i16, hex: &str) -> Result<String, String> {
    let text = |error| format!("{error:#}");
    let data: Result<Vec<u8>, _> =
        (0..hex.len() / 2).map(|at| u8::from_str_radix(&hex[at * 2..at * 2 + 2], 16)).collect();
    let mut data = Bytes::from(data.map_err(|error| error.to_string())?);
    let mut out = BytesMut::new();
    if is_request {
        let message = RequestKind::decode(key, &mut data, version).map_err(text)?;
        message.encode(&mut out, version).map_err(text)?;
    } else {
        let message = ResponseKind::decode(key, &mut data, version).map_err(text)?;
        message.encode(&mut out, version).map_err(text)?;
    }
    Ok(out.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn answer(question: &Value) -> Value {
    let unsupported = json!({ "unsupported": question["message"] });
    let version = question["version"].as_i64().unwrap_or(-1) as i16;
    let Ok(key) = ApiKey::try_from(question["api_key"].as_i64().unwrap_or(-1) as i16) else {
        return unsupported;
    };
    let known = key.valid_versions();
    if question["op"] != "reencode" || version < known.min || version > known.max {
        return unsupported;
    }
    let (is_request, hex) = (question["kind"] == "request", question["hex"].as_str().unwrap_or(""));
    match panic::catch_unwind(AssertUnwindSafe(|| reencode(key, is_request, version, hex))) {
        Ok(Ok(hex)) => json!({ "hex": hex }),
        // Some versions that an API key lists are not implemented.
        Ok(Err(error)) if error.ends_with("specified version not supported by this message type") => unsupported,
        Ok(Err(error)) => json!({ "error": error }),
        Err(_) => json!({ "error": "panic" }),
    }
}

fn main() -> io::Result<()> {
    panic::set_hook(Box::new(|_| ()));
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let question = serde_json::from_str(&line?)?;
        writeln!(out, "{}", answer(&question))?;
    }
    out.flush()
}
