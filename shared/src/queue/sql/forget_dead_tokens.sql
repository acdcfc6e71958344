-- A new statement after the receipts are gone: a verdict locks the receipt it is about, so that whatever was recorded
-- before that is visible here, and nothing is recorded afterwards.
with found as materialized (
    select app, token_hash from dead_tokens where device = $2 and app = $1
    union
    -- a token of the device that met its verdict under another id
    select app, token_hash from dead_tokens where app = $1 and token_hash = any($3::bytea[])
),
locked as materialized (
    select dead_tokens.app, dead_tokens.token_hash
    from found
    join dead_tokens on dead_tokens.app = found.app and dead_tokens.token_hash = found.token_hash
    for update of dead_tokens skip locked
)
delete from dead_tokens
using locked
where dead_tokens.app = locked.app and dead_tokens.token_hash = locked.token_hash
