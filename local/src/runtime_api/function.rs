//! A function: starts instances on demand, and carries invocations out on them.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use futures::future::join_all;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::instance::Instance;
use super::instances::{Instances, Known, Place};
use super::{Counts, Invocation, Output, Settings};
use crate::reaper::{Signal, send};

/// A function; clones are the same function. Its instances end with the runtime it was started on, if not before.
#[derive(Clone)]
pub struct Function(Arc<Shared>);

struct Shared {
    settings: Settings,
    output: Arc<Output>,
    instances: Mutex<Instances>,
    // Invocations run here, whichever runtime asks for them and however soon it stops waiting.
    runtime: Handle,
}

impl Function {
    /// A function without an instance yet, on the current runtime.
    pub fn start(settings: Settings) -> Self {
        let output = Arc::new(Output::new(settings.on_line.clone()));
        Self(Arc::new(Shared { settings, output, instances: Mutex::default(), runtime: Handle::current() }))
    }

    /// How long an invocation may take.
    pub fn timeout(&self) -> Duration {
        self.0.settings.timeout
    }

    /// The function's name.
    pub fn name(&self) -> &str {
        &self.0.settings.name
    }

    /// Carries out one invocation, also if the caller stops waiting for it.
    pub async fn invoke(&self, payload: impl Into<Bytes>) -> Invocation {
        let id = uuid::Uuid::new_v4().simple().to_string();
        self.invoke_traced(payload, format!("Root=1-{}-{};Sampled=0", &id[..8], &id[8..])).await
    }

    /// As [`Function::invoke`], as part of a trace: `trace` is the X-Ray header.
    pub async fn invoke_traced(&self, payload: impl Into<Bytes>, trace: String) -> Invocation {
        self.invoke_as(&uuid::Uuid::new_v4().to_string(), payload, trace).await
    }

    /// As [`Function::invoke_traced`], under a request id that the caller has chosen.
    pub async fn invoke_as(&self, request_id: &str, payload: impl Into<Bytes>, trace: String) -> Invocation {
        let (shared, payload, request_id) = (self.0.clone(), payload.into(), request_id.to_owned());
        let (reply, replied) = oneshot::channel();
        self.0.runtime.spawn(async move {
            let invocation = shared.invoke(request_id, payload, trace).await;
            shared.instances().counts.ended(&invocation);
            let _ = reply.send(invocation);
        });
        replied.await.unwrap_or_else(|_| Invocation::Crashed { status: "the local stack ended".to_owned() })
    }

    /// What the instances wrote.
    pub fn output(&self) -> &Output {
        &self.0.output
    }

    /// What the instances did.
    pub fn counts(&self) -> Counts {
        self.0.instances().counts
    }

    /// The processes of all instances, those that carry out an invocation first.
    pub fn pids(&self) -> Vec<u32> {
        self.0.instances().all().iter().map(|known| known.pid).collect()
    }

    /// The processes that carry out an invocation, or start for one.
    pub fn busy_pids(&self) -> Vec<u32> {
        let all = self.0.instances().all();
        all.iter().filter(|known| known.busy).map(|known| known.pid).collect()
    }

    /// Kills one instance, preferably one in an invocation, waits for its end and answers its pid.
    pub async fn kill_one(&self) -> Option<u32> {
        let victim = self.0.instances().all().into_iter().next()?;
        Some(kill(victim).await)
    }

    /// Stops a process in the middle of whatever it does (`SIGSTOP`).
    pub fn suspend(&self, pid: u32) -> io::Result<()> {
        self.signal(pid, Signal::Freeze)
    }

    /// Continues a suspended process (`SIGCONT`).
    pub fn resume(&self, pid: u32) -> io::Result<()> {
        self.signal(pid, Signal::Thaw)
    }

    fn signal(&self, pid: u32, signal: Signal) -> io::Result<()> {
        let instances = self.0.instances();
        let known = instances.all().iter().any(|known| known.pid == pid);
        if known { send(pid, signal) } else { Err(io::ErrorKind::NotFound.into()) }
    }

    /// Ends the free instances, so that the next invocation finds none.
    pub async fn retire_idle(&self) {
        self.0.retire(|_| true).await;
    }

    /// Ends all instances; one in an invocation is killed. Later invocations are throttled.
    pub async fn shutdown(&self) {
        let busy = {
            let mut instances = self.0.instances();
            instances.closing = true;
            instances.all().into_iter().filter(|known| known.busy)
        };
        let killed = join_all(busy.map(kill));
        tokio::join!(killed, self.0.retire(|_| true));
        // An invocation that ended meanwhile has put its instance back.
        self.0.retire(|_| true).await;
    }
}

async fn kill(mut victim: Known) -> u32 {
    if !victim.exit.seen() {
        let _ = send(victim.pid, Signal::Kill);
    }
    victim.exit.wait().await;
    victim.pid
}

impl Shared {
    fn instances(&self) -> MutexGuard<'_, Instances> {
        self.instances.lock().unwrap_or_else(PoisonError::into_inner)
    }

    async fn invoke(self: &Arc<Self>, request_id: String, payload: Bytes, trace: String) -> Invocation {
        let place = self.instances().take(self.settings.concurrency);
        let mut instance = match place {
            Place::Full => return Invocation::Throttled,
            Place::Warm(instance) => *instance,
            Place::Cold => match self.new_instance().await {
                Ok(instance) => instance,
                Err(message) => return Invocation::InitError { message },
            },
        };
        let invocation = instance.invoke(&self.settings, request_id, payload, trace).await;
        if instance.process.exit.seen() {
            self.instances().lost(instance.process.pid);
        } else {
            self.put_back(instance);
        }
        invocation
    }

    async fn new_instance(&self) -> Result<Instance, String> {
        let spawned = Instance::spawn(&self.settings, self.output.clone()).await;
        let mut instance = spawned.map_err(|error| {
            self.instances().unborn();
            format!("{} did not start: {error}", self.settings.binary.display())
        })?;
        self.instances().born(&instance);
        let ready = instance.ready(&self.settings).await;
        if ready.is_err() {
            self.instances().lost(instance.process.pid);
        }
        ready.map(|()| instance)
    }

    fn put_back(self: &Arc<Self>, instance: Instance) {
        let stay = self.instances().put_back(instance);
        if let Some(idle_for) = self.settings.idle_for {
            let shared = Arc::downgrade(self);
            tokio::spawn(async move {
                tokio::time::sleep(idle_for).await;
                if let Some(shared) = shared.upgrade() {
                    shared.retire(|other| other == stay).await;
                }
            });
        }
    }

    async fn retire(&self, ends: impl Fn(u64) -> bool) {
        let leaving = self.instances().leave(ends);
        let ending = leaving.into_iter().map(async |mut instance: Instance| {
            instance.process.end().await;
            self.instances().lost(instance.process.pid);
        });
        join_all(ending).await;
    }
}
