//! Which files a query opens, and what is said of topics that are not there.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::support::*;
use crate::logs::{Bounds, ErrorKind, Pushed};

/// Ten partitions of ten segments with a hundred batches each.
fn logs(is_remote: bool) -> Arc<Memory> {
    let memory = Arc::new(Memory { is_remote, ..Memory::default() });
    for partition in 0..10 {
        for number in 0..10 {
            memory.segment(&format!("/logs/clicks-{partition}"), number * 300, &batches(number * 300, 100));
        }
    }
    memory
}

/// The segments that a query opens, in planning and reading.
fn opened(memory: &Arc<Memory>, given: &[(&str, &str)], pushed: &Pushed) -> (usize, Vec<String>) {
    memory.segments_opened();
    let plan = planner(memory, given).plan(pushed).expect("a plan");
    let mut options = options(given);
    options.starting_offset = options.starting_offset.max(Some(pushed.bounds.min_offset));
    options.ending_offset = options.ending_offset.or(Some(pushed.bounds.max_offset.saturating_add(1)));
    let count = rows_of(memory, &plan, &options, 8 << 20).expect("rows").len();
    (count, memory.segments_opened())
}

#[test]
fn a_query_opens_the_segments_that_it_needs() {
    for is_remote in [false, true] {
        let memory = logs(is_remote);
        let one = Pushed { partitions: Some(vec![Some(3)]), ..Pushed::default() };
        let (count, files) = opened(&memory, &[], &one);
        assert_eq!((count, files.len()), (3000, 10));
        assert!(files.iter().all(|file| file.starts_with("/logs/clicks-3/")));
        let offsets = [("startingOffset", "650"), ("endingOffset", "950"), ("partitions", "3")];
        let (count, files) = opened(&memory, &offsets, &Pushed::default());
        assert_eq!(count, 300);
        assert_eq!(files, [600, 900].map(|base| format!("/logs/clicks-3/{base:020}.log")));
        let times = [("startingTimestamp", (TIME + 2500).to_string())];
        let times: Vec<(&str, &str)> = times.iter().map(|(name, text)| (*name, &**text)).collect();
        let (count, files) = opened(&memory, &times, &one);
        assert_eq!(count, 500);
        assert_eq!(files, [2400, 2700].map(|base| format!("/logs/clicks-3/{base:020}.log")));
    }
}

#[test]
fn many_segments_are_planned_by_their_names() {
    for is_remote in [false, true] {
        let memory = Arc::new(Memory { is_remote, ..Memory::default() });
        let data = batches(0, 1).concat();
        for partition in 0..100 {
            for number in 0..100 {
                memory.put(&format!("/logs/clicks-{partition}/{:020}.log", number * 3), data.clone());
            }
        }
        let plan = planner(&memory, &[]).plan(&Pushed::default()).expect("a plan");
        assert_eq!(plan.tasks.iter().map(|task| task.files).sum::<usize>(), 10_000);
        assert_eq!(plan.tasks.iter().map(|task| task.bytes).sum::<u64>(), 10_000 * data.len() as u64);
        assert!(memory.segments_opened().is_empty());
        assert!(memory.lists.load(Ordering::Relaxed) <= 102, "each folder is listed once, and the first looked at");
    }
}

#[test]
fn the_parts_of_a_segment_in_a_store_are_found_by_their_tasks() {
    let memory = logs(true);
    let given = [("partitions", "0"), ("maxPartitionBytes", "1000")];
    let plan = planner(&memory, &given).plan(&Pushed::default()).expect("a plan");
    assert!(plan.tasks.len() > 50);
    assert!(memory.segments_opened().is_empty());
    let offsets: Vec<i64> = rows_of(&memory, &plan, &options(&given), 8 << 20)
        .expect("rows")
        .into_iter()
        .map(|(offset, _)| offset)
        .collect();
    assert_eq!(offsets, (0..3000).collect::<Vec<_>>());
    let rows = plan.tasks.iter().map(|task| task.rows.unwrap_or(0)).sum::<u64>();
    assert!((2600..=2700).contains(&rows), "the last segment does not tell: {rows}");
}

#[test]
fn a_topic_that_is_not_there_is_an_error() {
    let memory = logs(false);
    memory.segment("/logs/sessions-0", 0, &batches(0, 1));
    let failed = |name, text| {
        let error = planner(&memory, &[(name, text)]).plan(&Pushed::default()).expect_err(text);
        assert_eq!(error.kind, ErrorKind::Path);
        error.text
    };
    assert_eq!(failed("topics", "clikcs"), "/logs: no topic clikcs; did you mean clicks?");
    assert_eq!(failed("topics", "sessions,clikcs"), "/logs: no topic clikcs; did you mean clicks?");
    assert_eq!(failed("subscribe", "payments"), "/logs: no topic payments; the topics are clicks, sessions");
    assert_eq!(
        failed("topicsPattern", "x*"),
        "option topicsPattern: no topic matches 'x*'; the topics are clicks, sessions"
    );
    assert_eq!(failed("assign", r#"{"clicks":[0,77]}"#), "option assign: clicks-77 is not there");
    let pushed = Pushed { topics: Some(vec![Some("nothing".to_owned())]), ..Pushed::default() };
    assert!(planner(&memory, &[]).plan(&pushed).expect("a plan").tasks.is_empty());
}

#[test]
fn a_plan_says_why_nothing_is_read() {
    let memory = logs(false);
    let nothing = |given: &[(&str, &str)]| planner(&memory, given).plan(&Pushed::default()).expect("a plan").nothing;
    assert_eq!(nothing(&[]), None);
    let later = nothing(&[("startingTimestamp", "1900000000000")]).expect("a reason");
    assert!(later.contains("no record has one of the wanted offsets and times"), "{later}");
    memory.put("/logs/log-start-offset-checkpoint", "0\n1\nclicks 3 9000\n");
    let deleted = nothing(&[("partitions", "3")]);
    assert!(
        deleted.is_some_and(|text| text.contains("clicks-3 begins at offset 9000: records before it were deleted"))
    );
}

#[test]
fn filters_of_a_query_leave_out_records() {
    let memory = logs(false);
    let bounds = Bounds { min_offset: 5, max_offset: 9, ..Bounds::default() };
    let pushed = Pushed { bounds, partitions: Some(vec![Some(1), Some(2)]), ..Pushed::default() };
    assert_eq!(opened(&memory, &[], &pushed).0, 10);
}
