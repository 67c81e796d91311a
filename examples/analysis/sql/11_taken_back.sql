-- Who takes back? Of the matches where it was allowed: how often, how many commands a match, and what those who did it won, beside how many of the seats they had.
, back AS MATERIALIZED (SELECT match_no, acting_seat AS seat, count(*) AS n FROM commands WHERE taken_back GROUP BY match_no, acting_seat),
each AS (
    SELECT p.game, sum(b.n) AS n, sum(p.win) FILTER (WHERE b.n > 0) AS win, 1.0 * count(b.n) / p.seat_count AS own
    FROM places p JOIN played m USING (match_no) JOIN matches o USING (match_no) LEFT JOIN back b USING (match_no, seat)
    WHERE m.take_back OR o.options ->> 'light' OR p.match_no IN (SELECT match_no FROM back) GROUP BY p.match_no)
SELECT game, count(*) AS n, 1.0 * count(n) / count(*) AS share, 1.0 * coalesce(sum(n), 0) / count(*) AS much,
       avg(win) FILTER (WHERE own > 0 AND own < 1) AS won, avg(own) FILTER (WHERE own > 0 AND own < 1) AS fair
FROM each GROUP BY game
