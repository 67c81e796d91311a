-- How do scores grow, and when is a match decided? After each tenth of a match, the mean score of those who win and of the others, and what a single leader wins.
, tenths(tenth) AS (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9), (10)),
last AS MATERIALIZED (
    SELECT s.match_no, (10 * s.version + p.event_count - 1) / p.event_count AS tenth, max(s.commit_no) AS commit_no, s.scores
    FROM states s JOIN played p USING (match_no) WHERE NOT s.taken_back GROUP BY 1, 2),
grid AS MATERIALIZED (
    SELECT p.match_no, t.tenth, (SELECT l.scores FROM last l WHERE l.match_no = p.match_no AND l.tenth <= t.tenth ORDER BY l.tenth DESC LIMIT 1) AS scores
    FROM played p, tenths t),
scored AS (
    SELECT p.game, p.seat_count, g.match_no, g.tenth, p.win, json_extract(g.scores, '$[' || p.seat || ']') AS score FROM grid g JOIN places p USING (match_no) WHERE g.scores IS NOT NULL),
led AS (SELECT *, max(score) OVER (PARTITION BY match_no, tenth) AS most FROM scored),
each AS (
    SELECT game, seat_count, tenth, sum(win * score) / sum(win) AS winners, sum((1 - win) * score) / nullif(sum(1 - win), 0) AS others,
           sum(score = most) AS leaders, sum(win) FILTER (WHERE score = most) AS won
    FROM led GROUP BY match_no, tenth)
SELECT game, seat_count AS seats, tenth, count(*) AS n, avg(winners) AS winners, avg(others) AS others,
       1 - avg(leaders = 1) AS tied, avg(won) FILTER (WHERE leaders = 1) AS leader_won
FROM each GROUP BY game, seat_count, tenth
