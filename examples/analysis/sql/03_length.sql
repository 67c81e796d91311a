-- How long does a match take, in commands and minutes?
SELECT p.game, p.seat_count AS seats, count(*) AS n, avg(p.command_count) AS mean, stddev(p.command_count) AS deviation,
       quantile(p.command_count, 0.25) AS quarter, median(p.command_count) AS median, quantile(p.command_count, 0.75) AS three_quarters,
       median(round(1000 * (unixepoch(m.finished_at, 'subsec') - unixepoch(m.created_at, 'subsec'))) / 60000) AS minutes
FROM played p JOIN matches m USING (match_no) GROUP BY p.game, p.seat_count
