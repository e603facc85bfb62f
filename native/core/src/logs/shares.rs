//! The choice of the logs that a micro-batch of limited size reads, and of the amount from each log.

use crate::outcome::Outcome;

/// Logs, numbered from 0, with batches that a micro-batch may read. Sizes are numbers of bytes or of offsets.
pub trait Unread {
    /// Read the next batch of a log if its size is at most `most`. Return its size; 0 if the log has no batch that can
    /// be read, and `None` if the batch is larger.
    fn read_one(&mut self, log: usize, most: u64) -> Outcome<Option<u64>>;

    /// Read batches of a log, of at most `most` in total. Return their size, which includes damaged bytes between them;
    /// 0 if nothing fits.
    fn read(&mut self, log: usize, most: u64) -> Outcome<u64>;
}

/// Read at most `limit` from all logs together, or one batch if that is larger.
///
/// Each log reads whole batches up to its share of the limit, which is proportional to its backlog. Logs whose share is
/// smaller than a batch take turns with what is left. The turn begins at the log `first`, which always reads a batch.
///
/// Return the log at which the next turn begins, or `None` if nothing can be read. A log that can be read has its turn
/// after at most as many micro-batches as there are logs.
pub fn divide(limit: u64, backlog: &[u64], first: usize, logs: &mut impl Unread) -> Outcome<Option<usize>> {
    let mut turn: Vec<usize> = (first..backlog.len())
        .chain(0..first)
        .filter(|log| backlog[*log] > 0)
        .collect();
    let (mut taken, mut left) = (vec![0; backlog.len()], limit);
    loop {
        let Some(log) = turn.first() else { return Ok(None) };
        let size = logs.read_one(*log, u64::MAX)?.unwrap_or(0);
        if size > 0 {
            taken[*log] = size;
            left = left.saturating_sub(size);
            break;
        }
        turn.remove(0);
    }

    let total: u128 = turn.iter().map(|log| u128::from(backlog[*log])).sum();
    for log in &turn {
        let share = u128::from(limit) * u128::from(backlog[*log]) / total;
        let share = u64::try_from(share).unwrap_or(u64::MAX);
        let size = logs.read(*log, share.saturating_sub(taken[*log]).min(left))?;
        taken[*log] += size;
        left = left.saturating_sub(size);
    }
    for log in turn.iter().filter(|log| taken[**log] == 0) {
        let Some(size) = logs.read_one(*log, left)? else {
            return Ok(Some(*log));
        };
        left = left.saturating_sub(size);
    }
    for log in &turn {
        left = left.saturating_sub(logs.read(*log, left)?);
    }
    Ok(turn.get(1).or(turn.first()).copied())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::VecDeque;

    /// Logs of batches, given by their sizes. A log that waits has an open transaction, so it cannot be read.
    #[derive(Default)]
    struct Simulated {
        batches: Vec<VecDeque<u64>>,
        waits: Vec<bool>,
        /// The sizes of the batches that the current micro-batch has read, by log.
        read: Vec<Vec<u64>>,
    }

    impl Unread for Simulated {
        fn read_one(&mut self, log: usize, most: u64) -> Outcome<Option<u64>> {
            match self.batches[log].front() {
                Some(size) if !self.waits[log] && *size > most => Ok(None),
                Some(size) if !self.waits[log] => {
                    self.read[log].push(*size);
                    Ok(self.batches[log].pop_front())
                }
                _ => Ok(Some(0)),
            }
        }

        fn read(&mut self, log: usize, most: u64) -> Outcome<u64> {
            let mut sum = 0;
            while let Some(size) = self.read_one(log, most - sum)?.filter(|size| *size > 0) {
                sum += size;
            }
            Ok(sum)
        }
    }

    impl Simulated {
        fn new(batches: Vec<Vec<u64>>) -> Self {
            Simulated {
                waits: vec![false; batches.len()],
                batches: batches.into_iter().map(VecDeque::from).collect(),
                ..Simulated::default()
            }
        }

        fn can_be_read(&self, log: usize) -> bool {
            !self.waits[log] && !self.batches[log].is_empty()
        }

        /// Read a micro-batch, and return the log at which the next turn begins.
        fn micro_batch(&mut self, limit: u64, first: usize) -> Option<usize> {
            self.read = vec![Vec::new(); self.batches.len()];
            let backlog: Vec<u64> = self.batches.iter().map(|sizes| sizes.iter().sum()).collect();
            divide(limit, &backlog, first, self).unwrap_or_default()
        }

        fn sums(&self) -> Vec<u64> {
            self.read.iter().map(|sizes| sizes.iter().sum()).collect()
        }
    }

    /// Pseudo-random numbers (SplitMix64).
    struct Random(u64);

    impl Random {
        fn below(&mut self, end: u64) -> u64 {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            (mixed ^ (mixed >> 31)) % end
        }
    }

    #[test]
    fn a_large_backlog_takes_most_of_the_limit() {
        let trickle = vec![10];
        let mut logs = Simulated::new([vec![vec![100; 1000]], vec![trickle; 49]].concat());
        let next = logs.micro_batch(10_000, 0);
        assert_eq!(logs.sums()[0], 9_900);
        assert_eq!(logs.sums()[1..].iter().sum::<u64>(), 100);
        assert_eq!(next, Some(11));
    }

    #[test]
    fn shares_are_proportional_to_backlogs() {
        let mut logs = Simulated::new(vec![vec![1; 6000], vec![1; 3000], vec![1; 1000]]);
        logs.micro_batch(100, 0);
        assert_eq!(logs.sums(), [60, 30, 10]);
    }

    #[test]
    fn a_batch_larger_than_the_limit_is_read_alone() {
        let mut logs = Simulated::new(vec![vec![5, 5], vec![50], vec![5]]);
        let mut first = 0;
        let mut read = Vec::new();
        while let Some(next) = logs.micro_batch(12, first) {
            read.push(logs.sums());
            first = next;
        }
        assert_eq!(read, [[5, 0, 0], [0, 50, 0], [5, 0, 5]]);
    }

    /// As after a restart, only the number that `divide` returns is kept between micro-batches.
    #[test]
    fn each_micro_batch_is_small_and_no_log_waits_long() {
        for seed in 0..2_000 {
            let mut random = Random(seed);
            let count = 1 + random.below(9) as usize;
            let (limit, largest) = (1 + random.below(60), 1 + random.below(100));
            let mut logs = Simulated::new(vec![Vec::new(); count]);
            let (mut first, mut waited) = (0, vec![0; count]);
            for round in 0..60 {
                let log = random.below(count as u64) as usize;
                if round < 30 {
                    for _ in 0..random.below(20) {
                        logs.batches[log].push_back(1 + random.below(largest));
                    }
                    logs.waits[log] = random.below(4) == 0;
                } else {
                    logs.waits.fill(false);
                }
                let could: Vec<bool> = (0..count).map(|log| logs.can_be_read(log)).collect();
                let next = logs.micro_batch(limit, first);

                let sizes = logs.read.concat();
                let sum: u64 = sizes.iter().sum();
                assert!(sum <= limit || sizes.len() == 1, "seed {seed}: {sizes:?} of {limit}");
                assert_eq!(next.is_some(), could.contains(&true), "seed {seed}");
                let least_left = (0..count)
                    .filter(|log| logs.can_be_read(*log))
                    .map(|log| logs.batches[log][0]);
                if let Some(least) = least_left.max() {
                    assert!(
                        sum + least > limit,
                        "seed {seed}: {sum} of {limit}, and {least} is left"
                    );
                }
                for log in 0..count {
                    waited[log] = if could[log] && logs.read[log].is_empty() {
                        waited[log] + 1
                    } else {
                        0
                    };
                    assert!(waited[log] < count, "seed {seed}: log {log} of {count} waits");
                }
                first = next.unwrap_or(first);
            }
        }
    }
}
