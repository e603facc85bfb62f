//! The known name that is nearest to one that is not known.

/// The nearest of some names, if it is near enough to be meant.
pub fn nearest<'n>(wanted: &str, known: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let lowered: Vec<char> = wanted.to_lowercase().chars().collect();
    let distances =
        known.into_iter().map(|name| (distance(&lowered, &name.to_lowercase().chars().collect::<Vec<_>>()), name));
    let (distance, name) = distances.min_by_key(|(distance, _)| *distance)?;
    (distance * 5 <= 2 * lowered.len().max(name.chars().count())).then_some(name)
}

/// How many letters are added, left out, changed or swapped with their neighbour.
fn distance(one: &[char], other: &[char]) -> usize {
    let width = other.len() + 1;
    let mut rows: [Vec<usize>; 3] = [vec![0; width], vec![0; width], (0..width).collect()];
    for (number, letter) in one.iter().enumerate() {
        rows.rotate_left(1);
        let [before, above, row] = &mut rows;
        row[0] = number + 1;
        for at in 1..width {
            let is_same = *letter == other[at - 1];
            row[at] = (above[at - 1] + usize::from(!is_same)).min(above[at] + 1).min(row[at - 1] + 1);
            if number > 0 && at > 1 && *letter == other[at - 2] && one[number - 1] == other[at - 1] {
                row[at] = row[at].min(before[at - 2] + 1);
            }
        }
    }
    rows[2][other.len()]
}
