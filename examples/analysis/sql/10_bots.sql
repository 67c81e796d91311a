-- How do bots fare against people, and against other bots? Matches with different kinds of players at one table, whoever else is counted.
, each AS (
    SELECT game, seat_count, match_no, CASE played_by WHEN 'bot' THEN bot || '@' || bot_version ELSE 'people' END AS kind, count(*) AS own, sum(win) AS win
    FROM seated GROUP BY match_no, kind),
tables AS (
    SELECT match_no, group_concat(own || ' ' || kind, ', ' ORDER BY kind) AS at_the_table FROM each GROUP BY match_no)
SELECT game, at_the_table AS "table", kind, count(*) AS n, avg(win) AS share, 1.0 * own / seat_count AS fair
FROM each JOIN tables USING (match_no) WHERE own < seat_count GROUP BY game, at_the_table, kind
