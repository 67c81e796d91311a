// The Oracle of Delphi in English.

const COLORS = { red: 'red', black: 'black', pink: 'pink', blue: 'blue', yellow: 'yellow', green: 'green', white: 'any colour' };
const GODS = { aphrodite: 'Aphrodite', ares: 'Ares', hermes: 'Hermes', poseidon: 'Poseidon', apollon: 'Apollon', artemis: 'Artemis' };
const LETTERS = { sigma: 'Σ', phi: 'Φ', psi: 'Ψ', omega: 'Ω' };
const SHIPS = {
  shield_2: 'two shields', gods_up: 'gods rise', range_2: 'far range', favor_1: 'more favor', tasks_11: 'eleven tasks', recolor_1: 'cheap recolouring', equipped: 'equipped', reverse_4: 'both ways round',
};
const KINDS = { shrine: 'shrine', statue: 'statue', offering: 'offering', monster: 'monster' };
const COMPANIONS = { hero: 'hero', demigod: 'demigod', creature: 'creature' };
const ACTIONS = {
  DrawOracleCard: 'draw an oracle card', TakeFavor: 'take favor', LookAtIsland: 'look at islands', MoveShip: 'sail', FightMonster: 'fight a monster', ExploreIsland: 'explore an island',
  BuildShrine: 'build a shrine', LoadOffering: 'load an offering', DeliverOffering: 'deliver an offering', LoadStatue: 'load a statue', RaiseStatue: 'raise a statue',
  HealInjuries: 'heal injuries', AdvanceGod: 'advance a god', UseAmulet: 'use the amulet',
};
const REWARDS = {
  'advance one god one row': 'a god rises', 'one companion of the colour of the statue': 'a companion', '3 favor': '3 favor', 'one equipment card of the display': 'an equipment card',
};
const REASONS = {
  action: 'by the action', consultation: 'by the consultation', no_injuries: 'for having no injuries', recovery: 'by recovering', battle: 'in battle', titan: 'by the titan',
  shrine: 'for a shrine', offering: 'for an offering', blessing: 'by a blessing', sigma: 'from Σ', phi: 'from Φ', psi: 'from Ψ', omega: 'from Ω', ship: 'by the ship', god: 'by a god',
  apollon: 'from Apollon', aphrodite: 'from Aphrodite', hero: 'by a hero', demigod: 'by a demigod', amulet: 'by the amulet',
};
const TASK_RULES = { shrine: 'D-437', statue: 'D-454', offering: 'D-452', monster: 'D-434' };
const plain = (id) => String(id).replace(/_/g, ' ');
const color = (id) => COLORS[id] ?? plain(id);
const god = (id) => GODS[id] ?? id;
const at = ({ q, r }) => `(${q}, ${r})`;
const why = (reason) => REASONS[reason] ?? `by ${plain(reason)}`;
const face = (f) => (f ? `${color(f.color)} ${LETTERS[f.letter]}` : 'its hidden side');
const cards = (list) => list.map(color).join(', ') || 'none';
const gods = (list) => list.map(god).join(', ');
const favor = (n) => `${n} favor`;

export default {
  events: {
    MatchStarted: () => ['The map is laid out, with Zeus in its middle.', { rule: 'D-101' }],
    ShipChosen: (e, n) => [`${n.seat(e.seat)} gets the ship “${SHIPS[e.ship]}”.`, { rule: 'D-141' }],
    PlayAreasPrepared: (e, n) => ['Everybody gets dice, an injury card and tasks.', { rule: 'D-142' }, { lines: e.areas.map((a) => `${n.seat(a.seat)}: dice ${cards(a.dice)}; ${favor(a.favor)}; shield ${a.shield}`) }],
    StartChoiceDue: (e, n) => [`${n.seat(e.seat)} makes a choice before the start.`, { rule: 'D-144' }],
    TaskReturned: (e, n) => [`${n.seat(e.seat)} returns a task: ${KINDS[e.kind]}${e.color ? `, ${color(e.color)}` : ''}.`, { rule: 'D-144' }],
    TurnStarted: (e, n) => `Round ${e.round}: ${n.seat(e.seat)} to act.`,
    GodChoiceQueued: (e, n) => [`A god of ${n.seat(e.seat)} will rise: ${gods(e.gods)}.`, { rule: 'D-242' }],
    GodChoiceDue: (e, n) => [`${n.seat(e.seat)} chooses which god rises: ${gods(e.gods)}.`, { rule: 'D-211' }],
    InjuriesChecked: (e, n) => [`${n.seat(e.seat)}’s injuries are checked: ${{ none: 'nothing happens', reward: 'none, which is rewarded', recover: 'too many, the turn goes into recovering' }[e.result]}.`, { rule: 'D-221' }],
    ActionsStarted: (e, n) => `${n.seat(e.seat)}’s actions begin.`,
    SourceChosen: (e, n) => [`${n.seat(e.seat)} uses ${{ die: `the ${color(e.color)} die`, card: `the ${color(e.color)} oracle card`, bonus: 'the bonus action' }[e.kind]}${e.as !== e.color ? ` as ${color(e.as)}` : ''}${e.favor ? ` for ${favor(e.favor)}` : ''}.`, ...(e.favor ? [{ rule: e.kind === 'bonus' ? 'D-306' : 'D-311' }] : [])],
    ActionTaken: (e, n) => `${n.seat(e.seat)}’s ${color(e.color)} action: ${ACTIONS[e.action] ?? plain(e.action)}.`,
    FavorGained: (e, n) => `${n.seat(e.seat)} gets ${favor(e.amount)} ${why(e.reason)}.`,
    FavorSpent: (e, n) => `${n.seat(e.seat)} pays ${favor(e.amount)} ${why(e.reason)}.`,
    OracleCardDrawn: (e, n) => `${n.seat(e.seat)} draws a ${color(e.color)} oracle card ${why(e.reason)}.`,
    InjuryDrawn: (e, n) => `${n.seat(e.seat)} draws a ${color(e.color)} injury ${why(e.reason)}${e.kept ? '' : ', and a hero takes it'}.`,
    InjuriesDiscarded: (e, n) => `${n.seat(e.seat)} discards injuries (${cards(e.cards)}) ${why(e.reason)}.`,
    DeckReshuffled: (e) => [`The ${e.deck === 'oracle' ? 'oracle' : 'injury'} cards are shuffled anew.`, { rule: 'D-121' }],
    ShieldRaised: (e, n) => `${n.seat(e.seat)}’s shield rises from ${e.from} to ${e.to} ${why(e.reason)}.`,
    GodAdvanced: (e, n) => `${n.seat(e.seat)}’s ${god(e.god)} rises from row ${e.from} to ${e.to} ${why(e.reason)}.`,
    GodInvoked: (e, n) => [`${n.seat(e.seat)} calls on ${god(e.god)}${e.use === 'card' ? ' for an oracle card' : ''}.`, { rule: 'D-501' }],
    ColorsFreed: (e, n) => [`For this turn all of ${n.seat(e.seat)}’s colours are free.`, { rule: 'D-311' }],
    GodReset: (e, n) => [`${n.seat(e.seat)}’s ${god(e.god)} returns to row ${e.to}.`, { rule: 'D-501' }],
    ShipMoved: (e, n) => [`${n.seat(e.seat)} sails from ${at(e.from)} to ${at(e.to)}${e.favor ? ` for ${favor(e.favor)}` : ''}.`, ...(e.favor ? [{ rule: 'D-406' }] : [])],
    ZeusReached: (e, n) => [`${n.seat(e.seat)} is back with Zeus, all tasks fulfilled.`, { rule: 'D-407' }],
    BattleStarted: (e, n) => [`${n.seat(e.seat)} fights the ${color(e.color)} monster on ${at(e.at)}, of strength ${e.strength}.`, { rule: 'D-432' }],
    BattleRolled: (e, n) => [`${n.seat(e.seat)} rolls ${e.roll} against ${e.strength}: ${e.won ? 'won' : 'not enough'}.`, { rule: 'D-432' }],
    BattleEnded: (e, n) => [`${n.seat(e.seat)} leaves the ${color(e.color)} monster alone.`, { rule: 'D-433' }],
    MonsterDefeated: (e, n) => [`${n.seat(e.seat)} defeats the ${color(e.color)} monster on ${at(e.at)}.`, { rule: 'D-434' }],
    TaskFulfilled: (e, n) => [`${n.seat(e.seat)} fulfils a task: ${KINDS[e.kind]}${e.color ? `, ${color(e.color)}` : ''}${e.tile === 'white' ? ' (on a white tile)' : ''}. Reward: ${REWARDS[e.reward] ?? e.reward}.`, { rule: TASK_RULES[e.kind] }, { rule: 'D-710' }],
    EquipmentTaken: (e, n) => [`${n.seat(e.seat)} takes the equipment “${plain(e.card)}”${e.refill ? `; “${plain(e.refill)}” takes its place` : ''}.`, { rule: 'D-602' }],
    CompanionTaken: (e, n) => [`A ${color(e.color)} ${COMPANIONS[e.kind]} joins ${n.seat(e.seat)}.`, { rule: 'D-622' }],
    OfferingLoaded: (e, n) => [`${n.seat(e.seat)} loads the ${color(e.color)} offering of ${at(e.from)}.`, { rule: 'D-451' }],
    StatueLoaded: (e, n) => [`${n.seat(e.seat)} loads a ${color(e.color)} statue in ${at(e.from)}.`, { rule: 'D-453' }],
    OfferingDelivered: (e, n) => [`${n.seat(e.seat)} delivers the ${color(e.color)} offering to the temple on ${at(e.at)}.`, { rule: 'D-452' }],
    StatueRaised: (e, n) => [`${n.seat(e.seat)} raises the ${color(e.color)} statue on ${at(e.at)}.`, { rule: 'D-454' }],
    IslandLookedAt: (e, n) => [`${n.seat(e.seat)} looks at the island on ${at(e.at)}: ${face(e.face)}.`, { rule: 'D-421' }],
    IslandRevealed: (e, n) => [`${n.seat(e.seat)} turns the island on ${at(e.at)}: ${face(e.face)}.`, { rule: 'D-437' }],
    ShrineBuilt: (e, n) => [`${n.seat(e.seat)} builds a shrine on ${at(e.at)}.`, { rule: 'D-438' }],
    DecisionsOpened: (e, n) => `${n.seat(e.seat)} has to choose: ${e.decisions.map((d) => plain(d.kind)).join(', ')}.`,
    DecisionClosed: (e, n) => `${n.seat(e.seat)}’s choice is made.`,
    OracleConsulted: (e, n) => [`${n.seat(e.seat)} consults the oracle: ${cards(e.dice)}.`, { rule: 'D-241' }],
    TitanRolled: (e) => [`The titan attacks with ${e.strength}.`, { rule: 'D-251' }],
    TurnEnded: (e, n) => `${n.seat(e.seat)}’s turn is over.`,
    RoundEnded: (e) => `Round ${e.round} is over.`,
    MatchFinished: (e, n) => ['A ship is home, and the round is over: so is the match.', { rule: 'D-801' },
      { lines: e.standing.map((place) => [`${place.rank}. ${n.seat(place.seat)}: ${place.home ? 'home, ' : ''}${place.fulfilled} tasks, ${place.cards} oracle cards, ${favor(place.favor)}`]) }],
  },
  commands: {
    ChooseShip: (c) => `Take the ship “${SHIPS[c.ship]}”`,
    UseDie: (c) => `Use the ${color(c.color)} die${c.as !== c.color ? ` as ${color(c.as)}` : ''}`,
    PlayOracleCard: (c) => `Play the ${color(c.color)} oracle card${c.as !== c.color ? ` as ${color(c.as)}` : ''}`,
    UseBonusAction: (c) => `Use the bonus action as ${color(c.as)}`,
    EndTurn: () => 'End the turn',
    InvokeGod: (c) => `Call on ${god(c.god)}${c.at ? ` for ${at(c.at)}` : ''}${c.color ? ` (${color(c.color)})` : ''}`,
    TradeGod: (c) => `Give ${god(c.god)} for an oracle card`,
    DrawOracleCard: () => 'Draw an oracle card',
    TakeFavor: () => 'Take 2 favor',
    LookAtIsland: (c) => `Look at the island on ${at(c.at)}`,
    MoveShip: (c) => `Sail to ${at(c.to)}`,
    FightMonster: (c) => `Fight the monster on ${at(c.at)}`,
    ExploreIsland: (c) => `Explore the island on ${at(c.at)}`,
    BuildShrine: (c) => `Build a shrine on ${at(c.at)}`,
    LoadOffering: (c) => `Load an offering on ${at(c.at)}`,
    DeliverOffering: (c) => `Deliver an offering on ${at(c.at)}`,
    LoadStatue: (c) => `Load a statue in ${at(c.at)}`,
    RaiseStatue: (c) => `Raise a statue on ${at(c.at)}`,
    HealInjuries: () => 'Heal the injuries of this colour',
    AdvanceGod: (c) => `Let ${god(c.god)} rise`,
    UseAmulet: () => 'Use the amulet',
    ReturnTask: (c) => `Return a task: ${KINDS[c.kind]}${c.color ? `, ${color(c.color)}` : ''}`,
    TakeEquipment: (c) => `Take the equipment “${plain(c.card)}”`,
    Recover: (c) => `Recover: discard ${cards(c.cards)}`,
    ContinueBattle: () => 'Fight on for 1 favor',
    GiveUpBattle: () => 'Give up the battle',
    HealColor: (c) => `Heal all ${color(c.color)} injuries`,
    TakeCompanion: (c) => `Take the ${COMPANIONS[c.kind]}`,
    TakeStatue: (c) => `Load a ${color(c.color)} statue`,
    TakeOffering: (c) => `Load the ${color(c.color)} offering of ${at(c.at)}`,
    Decline: () => 'Load nothing',
    RaiseGod: (c) => `Raise ${god(c.god)} to the top`,
    RevealIsland: (c) => `Turn the island on ${at(c.at)}`,
  },
  fields: {
    ChooseShip: 'Ship', UseDie: 'Use a die', PlayOracleCard: 'Oracle card', UseBonusAction: 'Bonus action', InvokeGod: 'Call on a god', TradeGod: 'Give a god for a card', MoveShip: 'Sail',
    LookAtIsland: 'Look at an island', ExploreIsland: 'Explore an island', TakeFavor: 'Take favor', DrawOracleCard: 'Draw an oracle card', FightMonster: 'Fight a monster',
    BuildShrine: 'Build a shrine', LoadOffering: 'Load an offering', DeliverOffering: 'Deliver an offering', LoadStatue: 'Load a statue', RaiseStatue: 'Raise a statue',
    HealInjuries: 'Heal injuries', AdvanceGod: 'Let a god rise', UseAmulet: 'Use the amulet', ReturnTask: 'Return a task', TakeEquipment: 'Take equipment', EndTurn: 'End the turn',
    Recover: 'Recover', ContinueBattle: 'Fight on', GiveUpBattle: 'Give up', HealColor: 'Heal a colour', TakeCompanion: 'Take a companion', TakeStatue: 'Load a statue',
    TakeOffering: 'Load an offering', Decline: 'Load nothing', RaiseGod: 'Raise a god', RevealIsland: 'Turn an island',
    color: 'Which colour?', as: 'As which colour?', at: 'Where?', to: 'Where to?', god: 'Which god?', ship: 'Which ship?', card: 'Which card?', cards: 'Which cards?', kind: 'Which kind?',
  },
  options: { map: 'Map', map_seed: 'Seed of a random map', ships: 'Ships', fewer_tasks: 'How many tasks fewer', colors: 'Colours of the seats', start_seat: 'Which seat begins' },
  value: (field, value) => {
    if (field === 'color' || field === 'as') return color(value);
    if (field === 'at' || field === 'to') return value ? at(value) : undefined;
    if (field === 'god') return god(value);
    if (field === 'ship') return SHIPS[value];
    if (field === 'kind') return KINDS[value] ?? COMPANIONS[value];
    if (field === 'cards') return cards(value);
    if (field === 'map') return { first_journey: 'First Journey', cyclades: 'Cyclades', sporades: 'Sporades', random: 'random' }[value];
    if (field === 'ships') return { lot: 'by lot', choice: 'by choice' }[value];
    if (field !== 'spot') return undefined;
    const [kind, id] = value.split(':');
    const [head, tail] = id.split(/[-,](?=[a-z]+$)/);
    if (kind === 'hex') return `(${id.replace(',', ', ')})`;
    if (kind === 'god') return god(id);
    if (kind === 'ship') return SHIPS[id];
    if (kind === 'equipment') return plain(id);
    if (kind === 'color') return `as ${color(id)}`;
    if (kind === 'task') return KINDS[head];
    if (kind === 'companion') return COMPANIONS[head];
    return `${color(tail ?? head)} ${plain(kind)}`;
  },
  standing: (place, n) => `${n.seat(place.seat)}: ${place.home ? 'home, ' : ''}${place.fulfilled} tasks`,
};
