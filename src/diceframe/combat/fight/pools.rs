use super::super::block::Resource;

/// What a fighter has of one resource: never below 0, never above the maximum.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pool {
    pub current: i64,
    /// None holds any amount.
    pub maximum: Option<i64>,
}

/// How much of a pool was before and is after.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Changed {
    /// A place in the block's resources.
    pub resource: usize,
    pub before: i64,
    pub after: i64,
}

/// The pools of a fighter, in the order of the block's resources.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pools(Vec<Pool>);

impl Pools {
    pub fn new(pools: Vec<Pool>) -> Self {
        Pools(pools)
    }

    pub fn current(&self, resource: usize) -> i64 {
        self.0[resource].current
    }

    /// Adds, or takes where the amount is below 0: no further than full, no further than empty.
    pub fn change(&mut self, resource: usize, amount: i64) -> Changed {
        let pool = &mut self.0[resource];
        let before = pool.current;
        pool.current = before.saturating_add(amount).clamp(0, pool.maximum.unwrap_or(i64::MAX));
        Changed { resource, before, after: pool.current }
    }

    /// Damage: the shields that take its type, in the order of their ids, then life. What is left over is lost.
    pub fn damage(
        &mut self,
        amount: i64,
        damage_type: Option<&str>,
        resources: &[Resource],
        hp: usize,
    ) -> Vec<Changed> {
        let mut takers: Vec<usize> = (0..resources.len()).filter(|at| resources[*at].absorbs(damage_type)).collect();
        takers.sort_by(|a, b| resources[*a].id.cmp(&resources[*b].id));
        takers.push(hp);
        let mut left = amount;
        let mut changes = Vec::new();
        for taker in takers {
            let change = self.change(taker, -left);
            left -= change.before - change.after;
            if change.before != change.after {
                changes.push(change);
            }
        }
        changes
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::block::PoolOrigin;
    use super::*;

    fn shield(id: &str, types: &[&str]) -> Resource {
        let types = types.iter().map(ToString::to_string).collect();
        Resource { id: id.into(), source: PoolOrigin::CombatState, maximum: None, costable: true, shields: Some(types) }
    }

    fn resources() -> Vec<Resource> {
        let hp = Resource { id: "hp".into(), source: PoolOrigin::Hp, maximum: None, costable: true, shields: None };
        vec![hp, shield("ward", &["fire"]), shield("barrier", &[])]
    }

    fn pools(current: [i64; 3]) -> Pools {
        Pools::new(current.map(|current| Pool { current, maximum: Some(50) }).to_vec())
    }

    fn left(current: [i64; 3], amount: i64, damage_type: Option<&str>) -> [i64; 3] {
        let mut pools = pools(current);
        pools.damage(amount, damage_type, &resources(), 0);
        [0, 1, 2].map(|at| pools.current(at))
    }

    #[test]
    fn shields_take_damage_before_life_in_the_order_of_their_ids() {
        assert_eq!(left([30, 10, 10], 5, Some("fire")), [30, 10, 5]);
        assert_eq!(left([30, 10, 10], 15, Some("fire")), [30, 5, 0]);
        assert_eq!(left([30, 10, 10], 25, Some("fire")), [25, 0, 0]);
        assert_eq!(left([30, 10, 10], 99, Some("fire")), [0, 0, 0]);
    }

    #[test]
    fn a_shield_takes_its_types_and_damage_without_one() {
        assert_eq!(left([30, 10, 0], 5, Some("cold")), [25, 10, 0]);
        assert_eq!(left([30, 10, 0], 5, None), [30, 5, 0]);
    }

    #[test]
    fn a_pool_is_filled_to_its_maximum_and_drained_to_nothing() {
        let mut pools = pools([30, 0, 0]);
        assert_eq!(pools.change(0, 100), Changed { resource: 0, before: 30, after: 50 });
        assert_eq!(pools.change(0, -100), Changed { resource: 0, before: 50, after: 0 });
        assert_eq!(pools.change(0, i64::MIN).after, 0);
        let mut endless = Pools::new(vec![Pool { current: 1, maximum: None }]);
        assert_eq!(endless.change(0, i64::MAX).after, i64::MAX);
    }
}
