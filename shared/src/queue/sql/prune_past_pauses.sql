delete from past_pauses
using (
    select app, resumed_at
    from past_pauses
    where resumed_at <= (select clock_timestamp()) - make_interval(secs => $1)
    order by resumed_at
    limit $2
    for update skip locked
) as retired
where past_pauses.app = retired.app and past_pauses.resumed_at = retired.resumed_at
