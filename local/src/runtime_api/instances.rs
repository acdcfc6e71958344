//! Which instances of a function there are, and which are free.

use std::collections::BTreeMap;

use super::Counts;
use super::instance::Instance;
use super::process::Exit;

/// All instances of one function.
#[derive(Debug, Default)]
pub(super) struct Instances {
    /// Free ones; the one used last stands last and is taken first.
    idle: Vec<Idle>,
    /// All whose process has not ended, by pid.
    known: BTreeMap<u32, Known>,
    /// Places taken: instances, and those about to be started.
    places: usize,
    stays: u64,
    pub(super) closing: bool,
    pub(super) counts: Counts,
}

#[derive(Debug)]
struct Idle {
    instance: Instance,
    stay: u64,
}

/// What others may know of an instance.
#[derive(Debug, Clone)]
pub(super) struct Known {
    pub(super) pid: u32,
    pub(super) busy: bool,
    pub(super) exit: Exit,
}

/// What an invocation finds.
pub(super) enum Place {
    /// A free instance.
    Warm(Box<Instance>),
    /// Room for a new one.
    Cold,
    /// Neither.
    Full,
}

impl Instances {
    /// Takes a place for an invocation.
    pub(super) fn take(&mut self, most: usize) -> Place {
        if self.closing {
            return Place::Full;
        }
        while let Some(Idle { instance, .. }) = self.idle.pop() {
            if instance.process.exit.seen() {
                self.lost(instance.process.pid);
                continue;
            }
            self.mark(instance.process.pid, true);
            self.counts.warm += 1;
            return Place::Warm(Box::new(instance));
        }
        if self.places >= most {
            return Place::Full;
        }
        self.places += 1;
        self.counts.cold += 1;
        self.counts.peak = self.counts.peak.max(self.places);
        Place::Cold
    }

    /// A new instance's process was started.
    pub(super) fn born(&mut self, instance: &Instance) {
        let (pid, exit) = (instance.process.pid, instance.process.exit.clone());
        self.known.insert(pid, Known { pid, busy: true, exit });
    }

    /// A place whose process was not even started is free again.
    pub(super) fn unborn(&mut self) {
        self.places -= 1;
    }

    /// An instance's process has ended.
    pub(super) fn lost(&mut self, pid: u32) {
        if self.known.remove(&pid).is_some() {
            self.places -= 1;
        }
    }

    /// An instance is free again; answers the number of this stay.
    pub(super) fn put_back(&mut self, instance: Instance) -> u64 {
        self.stays += 1;
        self.mark(instance.process.pid, false);
        self.idle.push(Idle { instance, stay: self.stays });
        self.stays
    }

    /// Removes the free instances whose stay `ends` accepts; they keep their places until they are lost.
    pub(super) fn leave(&mut self, ends: impl Fn(u64) -> bool) -> Vec<Instance> {
        let leaving = self.idle.extract_if(.., |idle| ends(idle.stay));
        leaving.map(|idle| idle.instance).collect()
    }

    /// Every instance, busy ones first.
    pub(super) fn all(&self) -> Vec<Known> {
        let mut all: Vec<_> = self.known.values().filter(|known| !known.exit.seen()).cloned().collect();
        all.sort_by_key(|known| !known.busy);
        all
    }

    fn mark(&mut self, pid: u32, busy: bool) {
        if let Some(known) = self.known.get_mut(&pid) {
            known.busy = busy;
        }
    }
}
