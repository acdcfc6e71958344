delete from quotas
using (
    select source, since
    from quotas
    where since <= (select clock_timestamp()) - make_interval(secs => $1)
    order by since
    limit $2
    for update skip locked
) as retired
where quotas.source = retired.source and quotas.since = retired.since
