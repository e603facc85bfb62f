use super::*;

const PLAN: &str = "messagegen-plan 2
message Outer data 0-1
struct Outer
 count count int32 -1
 inners inners []Inner []
struct Inner
 id id uuid \"00000000000000000000000000000000\"
 text text string? \"a b\"
layout 0 Inner 0-1 flexible
 id uuid
 :tag 2 text compact_string?
 :foreign 0 1
layout 1 Outer 0
 inners array(struct(0))?
 :guard count
layout 2 Outer 1 flexible
 count upacked32
 inners compact_array(struct(0))
";

fn refused(old: &str, new: &str) -> String {
    assert!(PLAN.contains(old), "{old}");
    Plan::parse(&PLAN.replacen(old, new, 1)).expect_err(new).to_string()
}

#[test]
fn what_a_sink_could_not_rely_on_is_refused() {
    assert!(refused("plan 2", "plan 1").contains("of format 2"));
    assert!(refused("struct(0)", "struct(1)").contains("not above"));
    assert!(refused(" :guard count\n", "").contains("forgets a field"));
    assert!(refused(":foreign 0 1", ":foreign 0 2").contains("can't be told apart"));
    assert!(refused("upacked32", "upacked33").contains("no codec"));
    assert!(refused("array(struct(0))?", "array(struct(0)").contains("no codec"));
    assert!(refused("struct Inner", "struct Outer").contains("there already"));
    assert!(refused("Outer 1 flexible", "Outer 1-x flexible").contains("expected a number"));
}

#[test]
fn layouts_that_double_do_not_overflow() {
    let mut text = String::from("messagegen-plan 2\nmessage M data 0\nstruct M\n a a M {}\n b b M {}\n");
    text.push_str("layout 0 M 0\n :skip a b\n");
    for number in 1..DEEPEST {
        let inner = number - 1;
        text.push_str(&format!("layout {number} M 0 flexible\n a struct({inner})\n b struct({inner})\n"));
    }
    let plan = Plan::parse(&text).expect("a plan");
    assert_eq!(plan.layouts[2].smallest, 3);
    assert!(plan.layouts.last().is_some_and(|layout| layout.smallest > 1 << 40));
}
