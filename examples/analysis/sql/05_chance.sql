-- Was chance fair? How far the sum of all indices that were drawn is off, in standard deviations. A deal that was played again counts once.
, once AS MATERIALIZED (SELECT min(match_no) AS match_no, game FROM played JOIN matches USING (match_no, game) GROUP BY game, seed)
SELECT o.game, d.draw_kind AS kind, count(*) AS n,
       sum(2 * d.drawn_index - d.candidates + 1) / 2.0 / sqrt(sum((d.candidates * d.candidates - 1) / 12.0)) AS z
FROM draws d JOIN once o USING (match_no) WHERE d.candidates > 1 AND NOT d.forced GROUP BY o.game, d.draw_kind
