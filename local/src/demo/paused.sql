select app, reason, greatest(extract(epoch from until - clock_timestamp()), 0)::float8 from pauses
