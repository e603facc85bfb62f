//! What is lost or inconsistent is reported: an error in FAILFAST, rows in PERMISSIVE.

use std::sync::Arc;

use super::support::*;
use crate::logs::{ErrorKind, Limit, Pushed};

const FIRST: &str = "/logs/orders-0/00000000000000000000.log";
const SECOND: &str = "/logs/orders-0/00000000000000000030.log";

/// Three segments of ten batches each, 90 records.
fn log() -> Arc<Memory> {
    let memory = Arc::new(Memory::default());
    for base in [0, 30, 60] {
        memory.segment("/logs/orders-0", base, &batches(base, 10));
    }
    memory
}

/// Checks that damage gives these offsets and an error with this text, and that FAILFAST fails; also in small tasks, and as a stream.
fn check(memory: &Arc<Memory>, left: &[i64], text: &str) {
    for size in ["128m", "200"] {
        let (offsets, errors) = told(memory, &[("maxPartitionBytes", size)]);
        assert_eq!(offsets, left, "{text}, tasks of {size}");
        assert!(errors.iter().all(|error| error.contains(text)) && !errors.is_empty(), "{errors:?}");
    }
    let error = rows(memory, &[("mode", "FAILFAST")]).expect_err(text);
    assert_eq!(error.kind, ErrorKind::Malformed);
    assert!(error.text.contains(text), "{}", error.text);
    let mut stream = planner(memory, &[]);
    let end = stream.latest("{}", Limit::All).expect("a stream");
    let plan = stream.between("{}", &end, &Pushed::default()).expect("tasks");
    let found = rows_of(memory, &plan, &options(&[]), 8 << 20).expect("rows");
    let offsets: Vec<i64> = found.iter().filter(|(_, error)| error.is_none()).map(|(offset, _)| *offset).collect();
    assert_eq!(offsets, left, "{text}, a stream");
    assert!(
        found.iter().any(|(_, error)| error.as_ref().is_some_and(|error| error.contains(text))),
        "{text}, a stream"
    );
}

fn without(lost: std::ops::Range<i64>) -> Vec<i64> {
    (0..90).filter(|offset| !lost.contains(offset)).collect()
}

#[test]
fn an_intact_log_has_no_errors() {
    assert_eq!(told(&log(), &[]), ((0..90).collect(), vec![]));
}

#[test]
fn a_closed_segment_whose_rest_is_zeros_has_lost_it() {
    let memory = log();
    let mut data = memory.get(FIRST);
    let half = data.len() / 2;
    data[half..].fill(0);
    memory.put(FIRST, data);
    check(&memory, &without(15..30), "zeros where a batch should begin");
}

#[test]
fn a_closed_segment_of_zeros_has_lost_all() {
    let memory = log();
    memory.put(SECOND, vec![0; memory.get(SECOND).len()]);
    check(&memory, &without(30..60), "zeros where a batch should begin");
}

#[test]
fn a_closed_segment_that_ends_before_its_index_has_lost_batches() {
    let memory = log();
    memory.put(FIRST, batches(0, 5).concat());
    check(&memory, &without(15..30), "its index names a batch with offset");
    memory.put(FIRST, Vec::new());
    check(&memory, &without(0..30), "its index names a batch with offset");
}

#[test]
fn a_segment_is_missing_if_its_index_is_there() {
    for (path, lost) in [(FIRST, 0..30), (SECOND, 30..60)] {
        let memory = log();
        memory.remove(path);
        check(&memory, &without(lost), "the segment is missing, but its index is there");
    }
}

#[test]
fn a_segment_that_a_broker_deletes_is_not_missing() {
    let memory = log();
    let data = memory.get(FIRST);
    memory.remove(FIRST);
    memory.put(&format!("{FIRST}.deleted"), data);
    assert_eq!(told(&memory, &[]), ((30..90).collect(), vec![]));
}

#[test]
fn a_segment_may_be_a_link_to_nothing() {
    let memory = log();
    memory.link(SECOND);
    check(&memory, &without(30..60), "the segment is a link to nothing");
}

#[test]
fn a_batch_twice_is_read_once() {
    let memory = log();
    let mut twice = batches(30, 10);
    twice.insert(4, twice[3].clone());
    memory.segment("/logs/orders-0", 30, &twice);
    check(&memory, &without(0..0), "repeat earlier ones");
}

#[test]
fn a_segment_of_another_topic_does_not_fit() {
    let memory = log();
    memory.put(SECOND, batches(0, 10).concat());
    check(&memory, &without(30..60), "repeat earlier ones");
    memory.put(SECOND, batches(600, 10).concat());
    check(&memory, &without(30..60), "are outside this segment");
}

/// No checksum covers the base offset.
#[test]
fn a_wrong_base_offset_shows() {
    for (number, wrong, text) in [
        (3, 39 + (1 << 41), "are outside this segment"),
        (3, 39 + 8, "skip others"),
        (3, 39 - 8, "repeat earlier ones"),
        (3, -39, "the offset -39 is below 0"),
        (0, 30 + 4, "skip others"),
        (9, 57 - 1, "repeat earlier ones"),
    ] {
        let memory = log();
        let mut damaged = batches(30, 10);
        damaged[number][..8].copy_from_slice(&i64::to_be_bytes(wrong));
        memory.put(SECOND, damaged.concat());
        let first = 30 + 3 * number as i64;
        check(&memory, &without(first..first + 3), text);
    }
}

#[test]
fn the_index_shows_a_wrong_base_offset_at_the_end() {
    let memory = log();
    let mut damaged = batches(60, 10);
    damaged[9][..8].copy_from_slice(&i64::to_be_bytes(87 + (1 << 30)));
    memory.put("/logs/orders-0/00000000000000000060.log", damaged.concat());
    let (offsets, errors) = told(&memory, &[]);
    assert_eq!(offsets, without(87..90));
    assert!(errors[0].contains("the index of the segment has the offset 89"), "{errors:?}");
}

#[test]
fn compaction_leaves_gaps_which_are_no_damage() {
    let memory = Arc::new(Memory::default());
    let kept = [Batch::of(5, 2), Batch::of(11, 1), Batch::of(20, 3)].map(Batch::bytes);
    memory.segment("/logs/orders-0", 0, &kept);
    memory.segment("/logs/orders-0", 30, &[]);
    memory.segment("/logs/orders-0", 60, &[Batch::of(77, 2).bytes()]);
    for size in ["128m", "100"] {
        let found = told(&memory, &[("maxPartitionBytes", size)]);
        assert_eq!(found, (vec![5, 6, 11, 20, 21, 22, 77, 78], vec![]));
    }
}

#[test]
fn rows_do_not_depend_on_how_much_is_held() {
    let memory = Arc::new(Memory::default());
    let mut damaged = batches(0, 40);
    let last = damaged[7].len() - 1;
    damaged[7][last] ^= 1;
    damaged[20].truncate(30);
    memory.put(FIRST, damaged.concat());
    let plan = planner(&memory, &[]).plan(&Pushed::default()).expect("a plan");
    let whole = rows_of(&memory, &plan, &options(&[]), 8 << 20).expect("rows");
    assert_eq!(whole.iter().filter(|(_, error)| error.is_some()).count(), 2);
    for window in [61, 100, 5000] {
        assert_eq!(rows_of(&memory, &plan, &options(&[]), window).expect("rows"), whole);
    }
}

/// Whatever happens to the bytes, reading ends, in rows or in an error of ours.
#[test]
fn random_damage_never_panics() {
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    for _ in 0..if cfg!(debug_assertions) { 60 } else { 1500 } {
        let memory = log();
        memory.put(
            "/logs/orders-0/00000000000000000090.log",
            [
                Batch::transactional(90, 2, 7).bytes(),
                Batch::marker(92, 7, true),
                Batch::transactional(93, 1, 8).bytes(),
            ]
            .concat(),
        );
        let names: Vec<String> = memory.files.lock().expect("no panic").keys().cloned().collect();
        for _ in 0..=random.below(3) {
            let name = &names[random.below(names.len())];
            let mut data = memory.get(name);
            match random.below(5) {
                0 if !data.is_empty() => {
                    let at = random.below(data.len());
                    data[at] ^= 1 << random.below(8);
                }
                1 => data.truncate(random.below(data.len() + 1)),
                2 => data.extend((0..random.below(80)).map(|_| random.below(256) as u8).collect::<Vec<_>>()),
                3 if data.len() > 8 => {
                    let at = random.below(data.len() - 8);
                    let bytes = [0_u64, u64::MAX, 1 << 63, 0x7FFF_FFFF_FFFF_FFFF][random.below(4)].to_be_bytes();
                    data[at..at + 8].copy_from_slice(&bytes);
                }
                _ => data = vec![0; data.len()],
            }
            memory.put(name, data);
        }
        let size = ["100", "700", "128m"][random.below(3)];
        let time = (TIME + random.below(100) as i64).to_string();
        let level = ["read_committed", "read_uncommitted"][random.below(2)];
        let given = [("maxPartitionBytes", size), ("isolationLevel", level), ("startingTimestamp", &*time)];
        let _ = rows(&memory, &given[..2 + random.below(2)]);
        let mut stream = planner(&memory, &given);
        let mut at = "{}".to_owned();
        for _ in 0..100 {
            let Ok(end) = stream.latest(&at, Limit::Bytes(300)) else { break };
            if end == at {
                break;
            }
            let Ok(plan) = stream.between(&at, &end, &Pushed::default()) else { break };
            let _ = rows_of(&memory, &plan, &options(&given), 8 << 20);
            at = end;
        }
    }
}

struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % most.max(1) as u64) as usize
    }
}
