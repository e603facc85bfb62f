//! Micro-batches of logs that change.

use std::sync::Arc;

use super::support::*;
use crate::logs::{ErrorKind, Limit, Planner, Pushed};

const SEGMENT: &str = "/logs/orders-0/00000000000000000000.log";

fn next(memory: &Arc<Memory>, stream: &mut Planner, at: &mut String, limit: Limit) -> Vec<i64> {
    let end = stream.latest(at, limit).expect("an end");
    let plan = stream.between(at, &end, &Pushed::default()).expect("tasks");
    *at = end;
    rows_of(memory, &plan, &stream.options, 8 << 20).expect("rows").into_iter().map(|(offset, _)| offset).collect()
}

#[test]
fn each_record_is_read_once() {
    let memory = Arc::new(Memory::default());
    memory.put(SEGMENT, batches(0, 4).concat());
    let mut stream = planner(&memory, &[]);
    let mut at = stream.initial().expect("a beginning");
    assert_eq!(next(&memory, &mut stream, &mut at, Limit::Bytes(200)), (0..6).collect::<Vec<_>>());
    assert_eq!(next(&memory, &mut stream, &mut at, Limit::Offsets(3)), (6..9).collect::<Vec<_>>());
    assert_eq!(next(&memory, &mut stream, &mut at, Limit::All), (9..12).collect::<Vec<_>>());
    assert_eq!(stream.latest(&at, Limit::All).expect("an end"), at);
    memory.put(SEGMENT, batches(0, 5).concat());
    assert_eq!(next(&memory, &mut stream, &mut at, Limit::All), (12..15).collect::<Vec<_>>());
}

/// Without `partition.metadata` nothing but its end tells a topic from one that had its name before.
#[test]
fn a_topic_that_was_made_again_is_an_error() {
    let memory = Arc::new(Memory::default());
    memory.put(SEGMENT, batches(0, 50).concat());
    let mut strict = planner(&memory, &[]);
    let mut lenient = planner(&memory, &[("failOnDataLoss", "false")]);
    let mut at = "{}".to_owned();
    assert_eq!(next(&memory, &mut strict, &mut at, Limit::All).len(), 150);
    memory.put(SEGMENT, [Batch::of(0, 7).bytes(), Batch::of(7, 20).bytes()].concat());
    let error = strict.latest(&at, Limit::All).expect_err("a gap");
    assert_eq!(error.kind, ErrorKind::Gap);
    assert!(error.text.contains("/logs/orders-0 ends at offset 27 now, and was read up to 150"), "{}", error.text);
    assert_eq!(lenient.latest(&at, Limit::All).expect("an end"), at);
    assert!(lenient.take_warnings()[0].contains("ends at offset 27 now"));
}

#[test]
fn an_unknown_topic_fails_at_the_beginning() {
    let memory = Arc::new(Memory::default());
    memory.put(SEGMENT, batches(0, 1).concat());
    let error = planner(&memory, &[("topics", "ordres")]).initial().expect_err("no topic");
    assert!(error.text.ends_with("no topic ordres; did you mean orders?"));
    memory.remove(SEGMENT);
    memory.put("/logs/meta.properties", "");
    assert_eq!(planner(&memory, &[("topics", "ordres")]).initial().expect("a topic may come"), "{}");
}

#[test]
fn committed_records_are_read_up_to_the_first_open_transaction() {
    let memory = Arc::new(Memory::default());
    let mut log = vec![
        Batch::transactional(0, 2, 7).bytes(),
        Batch::of(2, 1).bytes(),
        Batch::marker(3, 7, false),
        Batch::transactional(4, 1, 7).bytes(),
        Batch::transactional(5, 1, 8).bytes(),
        Batch::marker(6, 7, true),
    ];
    memory.put(SEGMENT, log.concat());
    let committed = [("isolationLevel", "read_committed")];
    assert_eq!(told(&memory, &committed), (vec![2, 4], vec![]));
    let mut stream = planner(&memory, &committed);
    let mut at = "{}".to_owned();
    assert_eq!(next(&memory, &mut stream, &mut at, Limit::All), [2, 4]);
    log.push(Batch::marker(7, 8, true));
    memory.put(SEGMENT, log.concat());
    assert_eq!(next(&memory, &mut stream, &mut at, Limit::All), [5]);
}

/// A producer's state as brokers write it down: `producers` with the first offset of their open transaction.
fn snapshot(producers: &[(i64, i64)]) -> Vec<u8> {
    let mut body = (producers.len() as i32).to_be_bytes().to_vec();
    for (producer, first) in producers {
        body.extend(producer.to_be_bytes());
        body.extend([0; 30]);
        body.extend(first.to_be_bytes());
    }
    let mut data = 1_i16.to_be_bytes().to_vec();
    data.extend(crc32c::crc32c(&body).to_be_bytes());
    data.extend(body);
    data
}

#[test]
fn snapshots_of_producers_spare_reading_what_is_before_them() {
    let memory = Arc::new(Memory::default());
    for base in [0, 30, 60] {
        memory.segment("/logs/orders-0", base, &batches(base, 10));
    }
    let committed = [("isolationLevel", "read_committed")];
    let plan = |memory: &Arc<Memory>| planner(memory, &committed).plan(&Pushed::default()).expect("a plan");
    let last = "/logs/orders-0/00000000000000000060.snapshot";
    memory.put(last, snapshot(&[(9, -1)]));
    plan(&memory);
    assert_eq!(memory.segments_opened(), ["/logs/orders-0/00000000000000000060.log"]);
    // A transaction that was open then hides what follows, but only if it is in the log.
    memory.put(last, snapshot(&[(7, 42)]));
    assert_eq!(told(&memory, &committed).0.len(), 90);
    let mut data = batches(30, 4);
    data.push(Batch::transactional(42, 3, 7).bytes());
    data.extend(batches(45, 5));
    memory.segment("/logs/orders-0", 30, &data);
    assert_eq!(told(&memory, &committed).0, (0..42).collect::<Vec<_>>());
    // A damaged snapshot tells nothing.
    let mut damaged = memory.get(last);
    damaged[20] ^= 1;
    memory.put(last, damaged);
    memory.segments_opened();
    plan(&memory);
    assert_eq!(memory.segments_opened().len(), 3);
    assert_eq!(told(&memory, &committed).0, (0..42).collect::<Vec<_>>());
}
