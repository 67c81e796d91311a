-- How do scores grow, and when is a match decided? After each tenth of a match, the mean score of those who win and of the others, and what a single leader wins.
, tenths(tenth) AS (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10)),
grid AS MATERIALIZED (
    SELECT m.match_no, t.tenth, m.game, m.seat_count,
           (SELECT s.scores FROM states s
            WHERE s.match_no = m.match_no AND NOT s.taken_back AND s.version <= t.tenth * m.event_count / 10
              AND s.commit_no <= (SELECT e.commit_no FROM events e WHERE e.match_no = m.match_no AND e.version = t.tenth * m.event_count / 10)
            ORDER BY s.commit_no DESC LIMIT 1) AS scores
    FROM matches m CROSS JOIN tenths t WHERE m.match_no IN (SELECT match_no FROM played) ORDER BY 1, 2),
scored AS (
    SELECT g.match_no, g.tenth, g.game, g.seat_count, p.seat, p.win, g.scores ->> p.seat AS score
    FROM grid g CROSS JOIN places p ON p.match_no = g.match_no WHERE g.scores IS NOT NULL ORDER BY 1, 2),
-- The seat that leads, counted from below and from above: the same one only where it leads alone. The last bit says whether it wins.
each AS (
    SELECT game, seat_count, tenth, sum(win * score) / sum(win) AS winners, sum((1 - win) * score) / nullif(sum(1 - win), 0) AS others,
           max(128 * score + 2 * seat + (win > 0)) AS above, max(128 * score + 2 * (63 - seat)) AS below, max(win) AS part
    FROM scored GROUP BY match_no, tenth),
led AS (SELECT game, seat_count, tenth, winners, others, (above & 126) + (below & 126) = 126 AS alone, (above & 1) * part AS won FROM each)
SELECT game, seat_count AS seats, tenth, count(*) AS n, avg(winners) AS winners, avg(others) AS others,
       1 - avg(alone) AS tied, avg(won) FILTER (WHERE alone) AS leader_won
FROM led GROUP BY game, seat_count, tenth
