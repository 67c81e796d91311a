-- What do the other answers leave out? Private and closed matches are not in these tables at all.
SELECT m.game, p.players,
       CASE WHEN m.sandbox THEN 'sandbox' WHEN m.branched_from IS NOT NULL THEN 'branch' WHEN m.loaded THEN 'from a position' ELSE 'counted' END AS what,
       count(*) AS n, count(m.origin) AS imported, sum(m.otherwise_count > 0) AS otherwise
FROM matches m JOIN populations p USING (match_no) GROUP BY m.game, p.players, what
