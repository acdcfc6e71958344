-- The queue. Id columns are collate "C": one order for every lock, whatever the database's language.

-- One row per device that has notifications. A claim and a renewal change no indexed column, so with the room that
-- the fillfactor leaves on each page they stay heap-only (HOT) updates.
create table lanes (
    app text collate "C" not null,
    device text collate "C" not null,
    -- seq of the first live notification; 0 while its enqueue has not committed
    head bigint not null,
    -- the head's send_at
    head_at timestamptz not null,
    -- when the head may next be tried
    due_at timestamptz not null,
    -- last unscheduled send_at given out or claimed: no new row sorts before it
    tail_at timestamptz not null default '-infinity',
    -- no send to this device before it: a provider's delay outlives its head
    rest_until timestamptz not null default '-infinity',
    attempts integer not null default 0,
    unanswered integer not null default 0,
    lease_until timestamptz not null default '-infinity',
    lease_token uuid,
    primary key (app, device)
) with (
    fillfactor = 40,
    autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_cost_delay = 0
);

create index lanes_due on lanes (app, due_at, head);

-- Immutable rows: inserted and deleted, never updated.
create table notifications (
    seq bigint generated always as identity (cache 1) primary key,
    app text collate "C" not null,
    device text collate "C" not null,
    source text collate "C" not null,
    event text collate "C" not null,
    kind text collate "C" not null,
    format smallint not null,
    payload json not null,
    target json not null,
    send_at timestamptz not null,
    expires_at timestamptz not null
) with (
    autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_cost_delay = 0
);

create index notifications_lane on notifications (app, device, send_at, seq);
create index notifications_expiry on notifications (expires_at, seq);

-- What enqueue de-duplicates on.
create table receipts (
    source text collate "C" not null,
    event text collate "C" not null,
    app text collate "C" not null,
    device text collate "C" not null,
    fingerprint bytea not null,
    seq bigint not null,
    keep_until timestamptz not null,
    primary key (source, event, app, device)
) with (
    autovacuum_vacuum_scale_factor = 0,
    autovacuum_vacuum_threshold = 5000,
    autovacuum_vacuum_cost_delay = 0
);

create index receipts_kept on receipts (keep_until);

create table dismissals (
    source text collate "C" not null,
    event text collate "C" not null,
    app text collate "C" not null,
    device text collate "C" not null,
    dismissed_at timestamptz not null,
    primary key (source, event, app, device)
);

create index dismissals_kept on dismissals (dismissed_at);

-- Tokens that their provider called dead, and the outbox of the feedback queue.
create table dead_tokens (
    app text collate "C" not null,
    token_hash bytea not null,
    device text collate "C" not null,
    reason text not null,
    -- the provider's own time where it names one
    dead_at timestamptz not null,
    recorded_at timestamptz not null,
    posted_at timestamptz,
    primary key (app, token_hash)
);

create index dead_tokens_kept on dead_tokens (recorded_at);
create index dead_tokens_outbox on dead_tokens (recorded_at) where posted_at is null;

-- Apps whose provider is failing as a whole. A pause whose time is over waits for the verdict of one probe.
create table pauses (
    app text collate "C" primary key,
    until timestamptz not null,
    probe_until timestamptz not null default '-infinity',
    reason text not null,
    step integer not null,
    posted_at timestamptz
);

create table quotas (
    source text collate "C" not null,
    since timestamptz not null,
    n bigint not null,
    primary key (source, since)
);

create index quotas_kept on quotas (since);
