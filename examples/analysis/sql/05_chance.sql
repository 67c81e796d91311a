-- Was chance fair? How far the sum of all indices that were drawn is off, in standard deviations.
-- A deal that was played again counts once, and a match that would go otherwise not at all: some of its draws are not known.
, once AS MATERIALIZED (SELECT min(match_no) AS match_no FROM played JOIN matches USING (match_no, game) WHERE otherwise_count = 0 GROUP BY game, seed),
drawn AS (
    SELECT m.match_no, d.draw_kind, m.game, d.candidates, d.drawn_index
    FROM matches m CROSS JOIN draws d ON d.match_no = m.match_no
    WHERE m.match_no IN (SELECT match_no FROM once) AND d.candidates > 1 AND NOT d.forced ORDER BY 1, 2),
each AS (
    SELECT game, draw_kind, count(*) AS n, sum(2 * drawn_index - candidates + 1) AS off, sum(candidates * candidates - 1) AS spread
    FROM drawn GROUP BY match_no, draw_kind)
SELECT game, draw_kind AS kind, sum(n) AS n, sum(off) / 2.0 / sqrt(sum(spread) / 12.0) AS z FROM each GROUP BY game, draw_kind
