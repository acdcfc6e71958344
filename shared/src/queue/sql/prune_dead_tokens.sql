delete from dead_tokens
using (
    select app, token_hash
    from dead_tokens
    where recorded_at <= (select clock_timestamp()) - make_interval(secs => $1)
    order by recorded_at
    limit $2
    for update skip locked
) as retired
where dead_tokens.app = retired.app and dead_tokens.token_hash = retired.token_hash
