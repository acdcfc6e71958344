select clock_timestamp() as now
