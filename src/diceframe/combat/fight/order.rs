//! The schedulers of the kinds `initiative` and `round_robin`: one after the other.

/// Whose turn it is. Fighters are known by their place in the order of their ids.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    order: Vec<usize>,
    /// The place in `order`; nobody's turn before the first advance.
    at: Option<usize>,
    round: u64,
    /// Whoever's turn it is has acted in it.
    is_over: bool,
}

impl Order {
    /// In this order, which has everybody in it once.
    pub fn of(order: Vec<usize>) -> Self {
        Order { order, at: None, round: 1, is_over: false }
    }

    /// The highest initiative first; of equals the one whose id comes first.
    pub fn by_initiative(initiatives: &[i64]) -> Self {
        let mut order: Vec<usize> = (0..initiatives.len()).collect();
        order.sort_by_key(|who| std::cmp::Reverse(initiatives[*who]));
        Order::of(order)
    }

    /// Goes on to the next who is alive; nobody where nobody is. A new round begins where the order does, also for
    /// somebody who is alone (h.24: upstream's counter then stands still).
    pub fn advance(&mut self, is_alive: impl Fn(usize) -> bool) -> Option<usize> {
        let count = self.order.len();
        let first = self.at.map_or(0, |at| at + 1);
        let place = (first..first + count).find(|place| is_alive(self.order[place % count]))?;
        if place >= count {
            self.round += 1;
        }
        self.at = Some(place % count);
        self.is_over = false;
        Some(self.order[place % count])
    }

    pub fn is_ready(&self, who: usize) -> bool {
        self.current() == Some(who)
    }

    /// Whose turn it is and who has not used it.
    pub fn current(&self) -> Option<usize> {
        self.at.filter(|_| !self.is_over).map(|at| self.order[at])
    }

    /// Ends the turn of whoever has it.
    pub fn consume(&mut self) {
        self.is_over = true;
    }

    /// From 1.
    pub fn round(&self) -> u64 {
        self.round
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_advance_skips_nobody_and_a_wrap_is_a_new_round() {
        let mut order = Order::of(vec![2, 0, 1]);
        assert_eq!((order.current(), order.round()), (None, 1));
        let turns: Vec<_> = (0..5).map(|_| (order.advance(|_| true).unwrap(), order.round())).collect();
        assert_eq!(turns, [(2, 1), (0, 1), (1, 1), (2, 2), (0, 2)]);
    }

    #[test]
    fn the_highest_initiative_is_first_and_ids_decide_between_equals() {
        let mut order = Order::by_initiative(&[3, 9, 3, -1]);
        let turns: Vec<_> = (0..4).filter_map(|_| order.advance(|_| true)).collect();
        assert_eq!(turns, [1, 0, 2, 3]);
    }

    #[test]
    fn the_dead_are_passed_over() {
        let mut order = Order::of(vec![0, 1, 2]);
        let turns: Vec<_> = (0..4).filter_map(|_| order.advance(|who| who != 0)).collect();
        assert_eq!((turns, order.round()), (vec![1, 2, 1, 2], 2));
        assert_eq!(order.advance(|_| false), None);
        assert_eq!(Order::of(Vec::new()).advance(|_| true), None);
    }

    #[test]
    fn a_lone_survivor_sees_the_rounds_go_by() {
        let mut order = Order::of(vec![0, 1]);
        for round in 1..4 {
            assert_eq!((order.advance(|who| who == 1), order.round()), (Some(1), round));
        }
    }

    #[test]
    fn a_turn_is_used_once() {
        let mut order = Order::of(vec![0, 1]);
        order.advance(|_| true);
        assert!(order.is_ready(0) && !order.is_ready(1));
        order.consume();
        assert!(!order.is_ready(0));
        order.advance(|_| true);
        assert!(order.is_ready(1));
    }
}
