// Das Orakel von Delphi auf Deutsch.

const COLORS = { red: 'Rot', black: 'Schwarz', pink: 'Rosa', blue: 'Blau', yellow: 'Gelb', green: 'Grün', white: 'beliebig' };
const GODS = { aphrodite: 'Aphrodite', ares: 'Ares', hermes: 'Hermes', poseidon: 'Poseidon', apollon: 'Apollon', artemis: 'Artemis' };
const LETTERS = { sigma: 'Σ', phi: 'Φ', psi: 'Ψ', omega: 'Ω' };
const SHIPS = {
  shield_2: 'zwei Schilde', gods_up: 'Götter steigen', range_2: 'weite Fahrt', favor_1: 'mehr Gunst', tasks_11: 'elf Aufgaben', recolor_1: 'günstig umfärben', equipped: 'ausgerüstet', reverse_4: 'in beide Richtungen',
};
const KINDS = { shrine: 'Schrein', statue: 'Statue', offering: 'Opfergabe', monster: 'Monster' };
const COMPANIONS = { hero: 'Held', demigod: 'Halbgott', creature: 'Wesen' };
const ACTIONS = {
  DrawOracleCard: 'Orakelkarte ziehen', TakeFavor: 'Gunst nehmen', LookAtIsland: 'Inseln ansehen', MoveShip: 'segeln', FightMonster: 'ein Monster bekämpfen', ExploreIsland: 'eine Insel erkunden',
  BuildShrine: 'einen Schrein bauen', LoadOffering: 'eine Opfergabe laden', DeliverOffering: 'eine Opfergabe abliefern', LoadStatue: 'eine Statue laden', RaiseStatue: 'eine Statue errichten',
  HealInjuries: 'Verletzungen heilen', AdvanceGod: 'einen Gott aufsteigen lassen', UseAmulet: 'das Amulett nutzen',
};
const REWARDS = {
  'advance one god one row': 'ein Gott steigt auf', 'one companion of the colour of the statue': 'ein Gefährte', '3 favor': '3 Gunst', 'one equipment card of the display': 'eine Ausrüstungskarte',
};
const REASONS = {
  action: 'durch die Aktion', consultation: 'durch die Befragung', no_injuries: 'weil keine Verletzung da ist', recovery: 'beim Erholen', battle: 'im Kampf', titan: 'durch den Titanen',
  shrine: 'für einen Schrein', offering: 'für eine Opfergabe', blessing: 'durch einen Segen', sigma: 'von Σ', phi: 'von Φ', psi: 'von Ψ', omega: 'von Ω', ship: 'durch das Schiff', god: 'durch einen Gott',
  apollon: 'von Apollon', aphrodite: 'von Aphrodite', hero: 'durch einen Helden', demigod: 'durch einen Halbgott', amulet: 'durch das Amulett',
};
const EQUIPMENT = {
  statue_warm: 'Statue in warmer Farbe', statue_cool: 'Statue in kühler Farbe', offering_warm: 'Opfergabe in warmer Farbe', offering_cool: 'Opfergabe in kühler Farbe', god_to_top: 'Gott nach oben',
  windfall: 'Geschenk', scout: 'Späher', charm_red: 'roter Anhänger', charm_black: 'schwarzer Anhänger', charm_yellow: 'gelber Anhänger', blessing: 'Segen', far_islands: 'ferne Inseln',
  far_statues: 'ferne Statuen', far_offerings: 'ferne Opfergaben', shallows: 'Untiefen', range_1: 'weitere Fahrt', hold: 'Laderaum', toughness: 'Zähigkeit', extra_action: 'Zusatzaktion',
  amulet_pink: 'rosa Amulett', amulet_blue: 'blaues Amulett', amulet_green: 'grünes Amulett',
};
const DECISIONS = {
  advance_god: 'Gott aufsteigen lassen', return_task: 'Aufgabe zurückgeben', take_equipment: 'Ausrüstung nehmen', recover: 'Erholen', injury_reward: 'Lohn ohne Verletzung', battle: 'Kampf',
  heal_color: 'Farbe heilen', take_companion: 'Gefährten nehmen', load_any: 'Laden', god_to_top: 'Gott nach oben', look: 'Insel ansehen', reveal_one: 'Insel aufdecken',
};
const PLACES = { die: 'Würfel', card: 'Orakelkarte', injury: 'Verletzung', offering: 'Opfergabe', monster: 'Monster', statue: 'Statue', site: 'Bauplatz' };
const TASK_RULES = { shrine: 'D-437', statue: 'D-454', offering: 'D-452', monster: 'D-434' };
const color = (id) => COLORS[id] ?? id;
const god = (id) => GODS[id] ?? id;
const equipment = (id) => EQUIPMENT[id] ?? id;
const at = ({ q, r }) => `(${q}, ${r})`;
const why = (reason) => REASONS[reason] ?? `durch „${equipment(reason)}“`;
const face = (f) => (f ? `${color(f.color)} ${LETTERS[f.letter]}` : 'ihre verdeckte Seite');
const cards = (list) => list.map(color).join(', ') || 'keine';
const gods = (list) => list.map(god).join(', ');
const favor = (n) => `${n} Gunst`;

export default {
  title: 'Das Orakel von Delphi',
  events: {
    MatchStarted: () => ['Die Karte ist ausgelegt, Zeus in der Mitte.', { rule: 'D-101' }],
    ShipChosen: (e, n) => [`${n.seat(e.seat)} bekommt das Schiff „${SHIPS[e.ship]}“.`, { rule: 'D-141' }],
    PlayAreasPrepared: (e, n) => ['Alle bekommen Würfel, eine Verletzung und Aufgaben.', { rule: 'D-142' }, { lines: e.areas.map((a) => `${n.seat(a.seat)}: Würfel ${cards(a.dice)}; ${favor(a.favor)}; Schild ${a.shield}`) }],
    StartChoiceDue: (e, n) => [`${n.seat(e.seat)} wählt vor dem Beginn.`, { rule: 'D-144' }],
    TaskReturned: (e, n) => [`${n.seat(e.seat)} gibt eine Aufgabe zurück: ${KINDS[e.kind]}${e.color ? `, ${color(e.color)}` : ''}.`, { rule: 'D-144' }],
    TurnStarted: (e, n) => `Runde ${e.round}: ${n.seat(e.seat)} ist am Zug.`,
    GodChoiceQueued: (e, n) => [`Ein Gott von ${n.seat(e.seat)} wird aufsteigen: ${gods(e.gods)}.`, { rule: 'D-242' }],
    GodChoiceDue: (e, n) => [`${n.seat(e.seat)} wählt, welcher Gott aufsteigt: ${gods(e.gods)}.`, { rule: 'D-211' }],
    InjuriesChecked: (e, n) => [`Die Verletzungen von ${n.seat(e.seat)} werden geprüft: ${{ none: 'nichts geschieht', reward: 'keine, das wird belohnt', recover: 'zu viele, der Zug dient der Erholung' }[e.result]}.`, { rule: 'D-221' }],
    ActionsStarted: (e, n) => `Die Aktionen von ${n.seat(e.seat)} beginnen.`,
    SourceChosen: (e, n) => [`${n.seat(e.seat)} nutzt ${{ die: `den Würfel ${color(e.color)}`, card: `die Orakelkarte ${color(e.color)}`, bonus: 'die Zusatzaktion' }[e.kind]}${e.as !== e.color ? ` als ${color(e.as)}` : ''}${e.favor ? ` für ${favor(e.favor)}` : ''}.`, ...(e.favor ? [{ rule: e.kind === 'bonus' ? 'D-306' : 'D-311' }] : [])],
    ActionTaken: (e, n) => `Aktion von ${n.seat(e.seat)} in ${color(e.color)}: ${ACTIONS[e.action] ?? e.action}.`,
    FavorGained: (e, n) => `${n.seat(e.seat)} bekommt ${favor(e.amount)} ${why(e.reason)}.`,
    FavorSpent: (e, n) => `${n.seat(e.seat)} bezahlt ${favor(e.amount)} ${why(e.reason)}.`,
    OracleCardDrawn: (e, n) => `${n.seat(e.seat)} zieht eine Orakelkarte (${color(e.color)}) ${why(e.reason)}.`,
    InjuryDrawn: (e, n) => `${n.seat(e.seat)} zieht eine Verletzung (${color(e.color)}) ${why(e.reason)}${e.kept ? '' : ', und ein Held fängt sie ab'}.`,
    InjuriesDiscarded: (e, n) => `${n.seat(e.seat)} legt Verletzungen ab (${cards(e.cards)}) ${why(e.reason)}.`,
    DeckReshuffled: (e) => [`Die ${e.deck === 'oracle' ? 'Orakelkarten' : 'Verletzungskarten'} werden neu gemischt.`, { rule: 'D-121' }],
    ShieldRaised: (e, n) => `Der Schild von ${n.seat(e.seat)} steigt von ${e.from} auf ${e.to} ${why(e.reason)}.`,
    GodAdvanced: (e, n) => `${god(e.god)} von ${n.seat(e.seat)} steigt von Reihe ${e.from} auf ${e.to} ${why(e.reason)}.`,
    GodInvoked: (e, n) => [`${n.seat(e.seat)} ruft ${god(e.god)} an${e.use === 'card' ? ', für eine Orakelkarte' : ''}.`, { rule: 'D-501' }],
    ColorsFreed: (e, n) => [`In diesem Zug sind für ${n.seat(e.seat)} alle Farben frei.`, { rule: 'D-311' }],
    GodReset: (e, n) => [`${god(e.god)} von ${n.seat(e.seat)} kehrt in Reihe ${e.to} zurück.`, { rule: 'D-501' }],
    ShipMoved: (e, n) => [`${n.seat(e.seat)} segelt von ${at(e.from)} nach ${at(e.to)}${e.favor ? ` für ${favor(e.favor)}` : ''}.`, ...(e.favor ? [{ rule: 'D-406' }] : [])],
    ZeusReached: (e, n) => [`${n.seat(e.seat)} ist zurück bei Zeus, alle Aufgaben erfüllt.`, { rule: 'D-407' }],
    BattleStarted: (e, n) => [`${n.seat(e.seat)} kämpft gegen das Monster (${color(e.color)}) auf ${at(e.at)}, Stärke ${e.strength}.`, { rule: 'D-432' }],
    BattleRolled: (e, n) => [`${n.seat(e.seat)} würfelt ${e.roll} gegen ${e.strength}: ${e.won ? 'gewonnen' : 'zu wenig'}.`, { rule: 'D-432' }],
    BattleEnded: (e, n) => [`${n.seat(e.seat)} lässt das Monster (${color(e.color)}) in Ruhe.`, { rule: 'D-433' }],
    MonsterDefeated: (e, n) => [`${n.seat(e.seat)} besiegt das Monster (${color(e.color)}) auf ${at(e.at)}.`, { rule: 'D-434' }],
    TaskFulfilled: (e, n) => [`${n.seat(e.seat)} erfüllt eine Aufgabe: ${KINDS[e.kind]}${e.color ? `, ${color(e.color)}` : ''}${e.tile === 'white' ? ' (auf einem weißen Plättchen)' : ''}. Lohn: ${REWARDS[e.reward] ?? e.reward}.`, { rule: TASK_RULES[e.kind] }, { rule: 'D-710' }],
    EquipmentTaken: (e, n) => [`${n.seat(e.seat)} nimmt die Ausrüstung „${equipment(e.card)}“${e.refill ? `; „${equipment(e.refill)}“ rückt nach` : ''}.`, { rule: 'D-602' }],
    CompanionTaken: (e, n) => [`Ein Gefährte kommt zu ${n.seat(e.seat)}: ${COMPANIONS[e.kind]}, ${color(e.color)}.`, { rule: 'D-622' }],
    OfferingLoaded: (e, n) => [`${n.seat(e.seat)} lädt die Opfergabe (${color(e.color)}) von ${at(e.from)}.`, { rule: 'D-451' }],
    StatueLoaded: (e, n) => [`${n.seat(e.seat)} lädt eine Statue (${color(e.color)}) in ${at(e.from)}.`, { rule: 'D-453' }],
    OfferingDelivered: (e, n) => [`${n.seat(e.seat)} liefert die Opfergabe (${color(e.color)}) im Tempel auf ${at(e.at)} ab.`, { rule: 'D-452' }],
    StatueRaised: (e, n) => [`${n.seat(e.seat)} errichtet die Statue (${color(e.color)}) auf ${at(e.at)}.`, { rule: 'D-454' }],
    IslandLookedAt: (e, n) => [`${n.seat(e.seat)} sieht sich die Insel auf ${at(e.at)} an: ${face(e.face)}.`, { rule: 'D-421' }],
    IslandRevealed: (e, n) => [`${n.seat(e.seat)} deckt die Insel auf ${at(e.at)} auf: ${face(e.face)}.`, { rule: 'D-437' }],
    ShrineBuilt: (e, n) => [`${n.seat(e.seat)} baut einen Schrein auf ${at(e.at)}.`, { rule: 'D-438' }],
    DecisionsOpened: (e, n) => `${n.seat(e.seat)} muss wählen: ${e.decisions.map((d) => DECISIONS[d.kind] ?? d.kind).join(', ')}.`,
    DecisionClosed: (e, n) => `${n.seat(e.seat)} hat gewählt.`,
    OracleConsulted: (e, n) => [`${n.seat(e.seat)} befragt das Orakel: ${cards(e.dice)}.`, { rule: 'D-241' }],
    TitanRolled: (e) => [`Der Titan greift mit ${e.strength} an.`, { rule: 'D-251' }],
    TurnEnded: (e, n) => `Der Zug von ${n.seat(e.seat)} ist zu Ende.`,
    RoundEnded: (e) => `Runde ${e.round} ist zu Ende.`,
    MatchFinished: (e, n) => ['Ein Schiff ist daheim und die Runde zu Ende: die Partie auch.', { rule: 'D-801' },
      { lines: e.standing.map((place) => [`${place.rank}. ${n.seat(place.seat)}: ${place.home ? 'daheim, ' : ''}${place.fulfilled} Aufgaben, ${place.cards} Orakelkarten, ${favor(place.favor)}`]) }],
  },
  commands: {
    ChooseShip: (c) => `Schiff „${SHIPS[c.ship]}“ nehmen`,
    UseDie: (c) => `Würfel ${color(c.color)} nutzen${c.as !== c.color ? ` als ${color(c.as)}` : ''}`,
    PlayOracleCard: (c) => `Orakelkarte ${color(c.color)} spielen${c.as !== c.color ? ` als ${color(c.as)}` : ''}`,
    UseBonusAction: (c) => `Zusatzaktion als ${color(c.as)}`,
    EndTurn: () => 'Zug beenden',
    InvokeGod: (c) => `${god(c.god)} anrufen${c.at ? ` für ${at(c.at)}` : ''}${c.color ? ` (${color(c.color)})` : ''}`,
    TradeGod: (c) => `${god(c.god)} gegen eine Orakelkarte geben`,
    DrawOracleCard: () => 'Orakelkarte ziehen',
    TakeFavor: () => '2 Gunst nehmen',
    LookAtIsland: (c) => `Insel auf ${at(c.at)} ansehen`,
    MoveShip: (c) => `Nach ${at(c.to)} segeln`,
    FightMonster: (c) => `Monster auf ${at(c.at)} bekämpfen`,
    ExploreIsland: (c) => `Insel auf ${at(c.at)} erkunden`,
    BuildShrine: (c) => `Schrein auf ${at(c.at)} bauen`,
    LoadOffering: (c) => `Opfergabe auf ${at(c.at)} laden`,
    DeliverOffering: (c) => `Opfergabe auf ${at(c.at)} abliefern`,
    LoadStatue: (c) => `Statue in ${at(c.at)} laden`,
    RaiseStatue: (c) => `Statue auf ${at(c.at)} errichten`,
    HealInjuries: () => 'Verletzungen dieser Farbe heilen',
    AdvanceGod: (c) => `${god(c.god)} aufsteigen lassen`,
    UseAmulet: () => 'Amulett nutzen',
    ReturnTask: (c) => `Aufgabe zurückgeben: ${KINDS[c.kind]}${c.color ? `, ${color(c.color)}` : ''}`,
    TakeEquipment: (c) => `Ausrüstung „${equipment(c.card)}“ nehmen`,
    Recover: (c) => `Erholen: ${cards(c.cards)} ablegen`,
    ContinueBattle: () => 'Für 1 Gunst weiterkämpfen',
    GiveUpBattle: () => 'Den Kampf aufgeben',
    HealColor: (c) => `Alle Verletzungen in ${color(c.color)} heilen`,
    TakeCompanion: (c) => `${COMPANIONS[c.kind]} nehmen`,
    TakeStatue: (c) => `Statue in ${color(c.color)} laden`,
    TakeOffering: (c) => `Opfergabe (${color(c.color)}) von ${at(c.at)} laden`,
    Decline: () => 'Nichts laden',
    RaiseGod: (c) => `${god(c.god)} ganz nach oben`,
    RevealIsland: (c) => `Insel auf ${at(c.at)} aufdecken`,
  },
  fields: {
    ChooseShip: 'Schiff', UseDie: 'Würfel nutzen', PlayOracleCard: 'Orakelkarte', UseBonusAction: 'Zusatzaktion', InvokeGod: 'Gott anrufen', TradeGod: 'Gott gegen Karte', MoveShip: 'Segeln',
    LookAtIsland: 'Insel ansehen', ExploreIsland: 'Insel erkunden', TakeFavor: 'Gunst nehmen', DrawOracleCard: 'Orakelkarte ziehen', FightMonster: 'Monster bekämpfen',
    BuildShrine: 'Schrein bauen', LoadOffering: 'Opfergabe laden', DeliverOffering: 'Opfergabe abliefern', LoadStatue: 'Statue laden', RaiseStatue: 'Statue errichten',
    HealInjuries: 'Verletzungen heilen', AdvanceGod: 'Gott aufsteigen lassen', UseAmulet: 'Amulett nutzen', ReturnTask: 'Aufgabe zurückgeben', TakeEquipment: 'Ausrüstung nehmen', EndTurn: 'Zug beenden',
    Recover: 'Erholen', ContinueBattle: 'Weiterkämpfen', GiveUpBattle: 'Aufgeben', HealColor: 'Farbe heilen', TakeCompanion: 'Gefährten nehmen', TakeStatue: 'Statue laden',
    TakeOffering: 'Opfergabe laden', Decline: 'Nichts laden', RaiseGod: 'Gott nach oben', RevealIsland: 'Insel aufdecken',
    color: 'Welche Farbe?', as: 'Als welche Farbe?', at: 'Wo?', to: 'Wohin?', god: 'Welcher Gott?', ship: 'Welches Schiff?', card: 'Welche Karte?', cards: 'Welche Karten?', kind: 'Welche Art?',
  },
  options: { map: 'Karte', map_seed: 'Startzahl einer Zufallskarte', ships: 'Schiffe', fewer_tasks: 'Wie viele Aufgaben weniger', colors: 'Farben der Plätze', start_seat: 'Welcher Platz beginnt' },
  value: (field, value) => {
    if (field === 'color' || field === 'as') return color(value);
    if (field === 'at' || field === 'to') return value ? at(value) : undefined;
    if (field === 'god') return god(value);
    if (field === 'ship') return SHIPS[value];
    if (field === 'card') return equipment(value);
    if (field === 'kind') return KINDS[value] ?? COMPANIONS[value];
    if (field === 'cards') return cards(value);
    if (field === 'map') return { first_journey: 'Erste Reise', cyclades: 'Kykladen', sporades: 'Sporaden', random: 'zufällig' }[value];
    if (field === 'ships') return { lot: 'durch Los', choice: 'durch Wahl' }[value];
    if (field !== 'spot') return undefined;
    const [kind, id] = value.split(':');
    const [head, tail] = id.split(/[-,](?=[a-z]+$)/);
    if (kind === 'hex') return `(${id.replace(',', ', ')})`;
    if (kind === 'god') return god(id);
    if (kind === 'ship') return SHIPS[id];
    if (kind === 'equipment') return equipment(id);
    if (kind === 'color') return `als ${color(id)}`;
    if (kind === 'task') return KINDS[head];
    if (kind === 'companion') return COMPANIONS[head];
    return `${PLACES[kind] ?? kind} ${color(tail ?? head)}`;
  },
  standing: (place, n) => `${n.seat(place.seat)}: ${place.home ? 'daheim, ' : ''}${place.fulfilled} Aufgaben`,
};
