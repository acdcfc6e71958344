-- What the feedback queue needs to know. Expand only: the statements of the revision before this one go on working,
-- and what they write is posted without these columns' help.

alter table dead_tokens
    -- the event whose send met the verdict, and its source
    add column source text collate "C",
    add column event text collate "C",
    -- leased by whoever is posting it
    add column posting_until timestamptz not null default '-infinity';

alter table pauses
    -- when it began, or last grew
    add column paused_at timestamptz,
    add column posting_until timestamptz not null default '-infinity';

alter table pauses alter column paused_at set default clock_timestamp();

-- Pauses that are over, for the feedback queue alone: the row of a pause must go with it.
create table past_pauses (
    app text collate "C" not null,
    resumed_at timestamptz not null,
    reason text not null,
    posted_at timestamptz,
    posting_until timestamptz not null default '-infinity',
    primary key (app, resumed_at)
);

create index past_pauses_kept on past_pauses (resumed_at);
create index past_pauses_outbox on past_pauses (resumed_at) where posted_at is null;
