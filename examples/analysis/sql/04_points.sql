-- What are points given for, and by which rule? Points of all seats of a match.
, n AS (SELECT game, count(*) AS n FROM played GROUP BY game)
SELECT p.game, a.reason, a.rule, n.n, 1.0 * sum(a.points) / n.n AS points
FROM awards a JOIN played p USING (match_no) JOIN n ON n.game = p.game
WHERE NOT a.taken_back GROUP BY p.game, a.reason, a.rule
