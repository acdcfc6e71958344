//! Every statement of the queue, by name. One test PREPAREs them all on the migrated schema.

macro_rules! statements {
    ($($name:ident = $file:literal;)*) => {
        $(pub(super) const $name: &str = include_str!(concat!("sql/", $file, ".sql"));)*

        /// Every statement: its file's name and its text.
        pub const ALL: &[(&str, &str)] = &[$(($file, $name)),*];
    };
}

statements! {
    BACKLOG = "backlog";
    CLAIM_HEADS = "claim_heads";
    CLAIM_KEY = "claim_key";
    CLAIM_LEASE = "claim_lease";
    CLAIM_LOOK = "claim_look";
    DEAD_TOKENS_MARK = "dead_tokens_mark";
    DEAD_TOKENS_POSTED = "dead_tokens_posted";
    DEAD_TOKENS_TAKE = "dead_tokens_take";
    DISMISS_DELETE = "dismiss_delete";
    DISMISS_RECORD = "dismiss_record";
    ENQUEUE_INSERT = "enqueue_insert";
    ENQUEUE_LANES = "enqueue_lanes";
    ENQUEUE_READ = "enqueue_read";
    ENQUEUE_TIDY = "enqueue_tidy";
    FINISH_HEADS = "finish_heads";
    FINISH_LANES = "finish_lanes";
    FINISH_LOOK = "finish_look";
    FORGET_DEAD_TOKENS = "forget_dead_tokens";
    FORGET_LOOK = "forget_look";
    FORGET_ROWS = "forget_rows";
    INSPECT_APPS = "inspect_apps";
    INSPECT_CLOCK = "inspect_clock";
    INSPECT_DEAD_TOKENS = "inspect_dead_tokens";
    INSPECT_DEVICE = "inspect_device";
    INSPECT_EVENT = "inspect_event";
    INSPECT_PAUSES = "inspect_pauses";
    INSPECT_STANDINGS = "inspect_standings";
    LANE_WAIT = "lane_wait";
    MEASURE_APPS = "measure_apps";
    MEASURE_SNAPSHOT = "measure_snapshot";
    MEASURE_TUPLES = "measure_tuples";
    PAST_PAUSES_POSTED = "past_pauses_posted";
    PAST_PAUSES_TAKE = "past_pauses_take";
    PAUSE = "pause";
    PAUSES_POSTED = "pauses_posted";
    PAUSES_TAKE = "pauses_take";
    PROBE_RETURN = "probe_return";
    PROBE_TAKE = "probe_take";
    PRUNE_DEAD_TOKENS = "prune_dead_tokens";
    PRUNE_DELETE = "prune_delete";
    PRUNE_DISMISSALS = "prune_dismissals";
    PRUNE_FIND = "prune_find";
    PRUNE_KEY = "prune_key";
    PRUNE_LANES = "prune_lanes";
    PRUNE_PAST_PAUSES = "prune_past_pauses";
    PRUNE_QUOTAS = "prune_quotas";
    PRUNE_RECEIPTS = "prune_receipts";
    QUOTA_SPEND = "quota_spend";
    RENEW = "renew";
    RESUME = "resume";
}
