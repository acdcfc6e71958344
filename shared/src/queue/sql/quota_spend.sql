-- All or nothing, per source and window.
insert into quotas (source, since, n)
select $1, date_bin(make_interval(secs => $4), (select clock_timestamp()), 'epoch'), $2::bigint
where $2::bigint <= $3::bigint
on conflict (source, since) do update
set n = quotas.n + excluded.n
where quotas.n + excluded.n <= $3
returning n
