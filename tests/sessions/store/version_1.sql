PRAGMA application_id=1396852050;
PRAGMA user_version=1;
BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'saber','m001_sessions_events_decisions','2026-11-21 15:08:26.190826+00:00');
CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions(id) ON DELETE CASCADE,
    seq INTEGER NOT NULL CHECK (seq > 0),
    type TEXT NOT NULL,
    key TEXT,
    v INTEGER NOT NULL,
    at TEXT NOT NULL,
    payload TEXT NOT NULL,
    prev_hash TEXT NOT NULL,
    hash TEXT NOT NULL,
    UNIQUE (session_id, seq)
) STRICT
;
INSERT INTO "events" VALUES(1,'01M7ZADJPM58K00B40GZT0JWD9',1,'session_started',NULL,1,'2026-11-21T15:08:26.197116+00:00','{"domain":"toy","source":"two orders","data":null,"tasks":null,"scenario":"one","scenario_digest":null,"model":"clerk","auxiliary":null,"safeguards":{"gate":true,"reflection":true,"context":true,"blocks":16,"blocks_as":"verbatim","policy_on_card":true,"after_feedback":"confirm","declines":3},"max_turns":30,"limits":{"actions":null,"tokens":null,"cost":null,"seconds":null},"program":"1","policy_digest":"p","tools_digest":"t","records_digest":"r","run":{"name":"night","settings":"","arm":"","trial":1,"seed":0,"customer":"scripted"}}','','5d1783c27d3c558686f9ab9ecdda583bdf513949497b2ce80da376ae8df7c30c');
INSERT INTO "events" VALUES(2,'01M7ZADJPM58K00B40GZT0JWD9',2,'customer_said',NULL,1,'2026-11-21T15:08:26.200988+00:00','{"text":"Please cancel my order for the caf\u00e9 mug\n\u2028 and a lone \ud800 one","turn":1}','5d1783c27d3c558686f9ab9ecdda583bdf513949497b2ce80da376ae8df7c30c','45537b77871bb8dcb6acec76459cd83530dccb934b8af59667d4d9dd1bd0d08f');
INSERT INTO "events" VALUES(3,'01M7ZADJPM58K00B40GZT0JWD9',3,'agent_said',NULL,1,'2026-11-21T15:08:26.200988+00:00','{"text":"Which of your orders shall I cancel?","about_card":null}','45537b77871bb8dcb6acec76459cd83530dccb934b8af59667d4d9dd1bd0d08f','98372af177f17d9787396e7d95ee6a34fa0ed9f2dcc1a0e713869bbb0e4e5c3d');
INSERT INTO "events" VALUES(4,'01M7ZADJPM58K00B40GZT0JWD9',4,'customer_said',NULL,1,'2026-11-21T15:08:26.200988+00:00','{"text":"#W1, you fool","turn":2}','98372af177f17d9787396e7d95ee6a34fa0ed9f2dcc1a0e713869bbb0e4e5c3d','16276cab68db77ea4f5ed65006130314eec6ff3d3a562e05404df9631f4d45b1');
INSERT INTO "events" VALUES(5,'01M7ZADJPM58K00B40GZT0JWD9',5,'card_shown','k1',1,'2026-11-21T15:08:26.205089+00:00','{"card":{"id":"k1","call_id":"c1","tool":"cancel","arguments":{"order_id":"#W1"},"sentence":"Cancel order #W1.","before":[{"name":"order is pending","source":"tool","verdict":"holds","value":""}],"after":["order #W1: pending \u2192 cancelled"],"closes":["It cannot be taken back."],"removed":[],"non_ascii":[],"call_digest":"e0b0316bbe55db6c72475bbd924d6080e4aedc27f2a042c6bf8c29fa7101cacf","state_digest":"s","policy_shown":true,"worded_by":"","struck":"","unsupported":[]},"words_digest":"w","replaces":null}','16276cab68db77ea4f5ed65006130314eec6ff3d3a562e05404df9631f4d45b1','0f20acb1b092682a5abc3cdcfef7d21b42692aa75a485436d8d3c65dd90bc1aa');
INSERT INTO "events" VALUES(6,'01M7ZADJPM58K00B40GZT0JWD9',6,'decision_made',NULL,1,'2026-11-21T15:08:26.205089+00:00','{"card_id":"k1","decision":"ask","words":"why so?","by":"person","milliseconds":900,"overrode":[]}','0f20acb1b092682a5abc3cdcfef7d21b42692aa75a485436d8d3c65dd90bc1aa','c32f998c9912acaf2d13bf1c75689ba01176bb70078c04e180eda06c6f2e8ede');
INSERT INTO "events" VALUES(7,'01M7ZADJPM58K00B40GZT0JWD9',7,'decision_made','k1',1,'2026-11-21T15:08:26.205089+00:00','{"card_id":"k1","decision":"reject","words":"not that one","by":"person","milliseconds":900,"overrode":[]}','c32f998c9912acaf2d13bf1c75689ba01176bb70078c04e180eda06c6f2e8ede','547daa93f758c22763d61b427329daeece7674a26295ac69e815b1b2eb046a22');
INSERT INTO "events" VALUES(8,'01M7ZADJPM58K00B40GZT0JWD9',8,'card_shown','k2',1,'2026-11-21T15:08:26.209391+00:00','{"card":{"id":"k2","call_id":"c1","tool":"cancel","arguments":{"order_id":"#W1"},"sentence":"Cancel order #W1.","before":[{"name":"order is pending","source":"tool","verdict":"holds","value":""}],"after":["order #W1: pending \u2192 cancelled"],"closes":["It cannot be taken back."],"removed":[],"non_ascii":[],"call_digest":"e0b0316bbe55db6c72475bbd924d6080e4aedc27f2a042c6bf8c29fa7101cacf","state_digest":"s","policy_shown":true,"worded_by":"","struck":"","unsupported":[]},"words_digest":"w","replaces":null}','547daa93f758c22763d61b427329daeece7674a26295ac69e815b1b2eb046a22','2a22b02728c183bff36d3599b34adc413218646587bf4d3a3d1449287ab40aea');
INSERT INTO "events" VALUES(9,'01M7ZADJPM58K00B40GZT0JWD9',9,'decision_made','k2',1,'2026-11-21T15:08:26.209391+00:00','{"card_id":"k2","decision":"approve","words":"","by":"person","milliseconds":900,"overrode":[]}','2a22b02728c183bff36d3599b34adc413218646587bf4d3a3d1449287ab40aea','fdc76c4819bacdb88235042a9a9ff50a535e05da3a44f9caae979b0a199926d0');
INSERT INTO "events" VALUES(10,'01M7ZADJPM58K00B40GZT0JWD9',10,'consent_used','k2',1,'2026-11-21T15:08:26.209391+00:00','{"card_id":"k2","seal":"s"}','fdc76c4819bacdb88235042a9a9ff50a535e05da3a44f9caae979b0a199926d0','f2bbce6b9af1297fe9860d8f67c41002dce20fd96d4cb0c2aee6b64f93a7e72d');
INSERT INTO "events" VALUES(11,'01M7ZADJPM58K00B40GZT0JWD9',11,'write_applied','k2',1,'2026-11-21T15:08:26.209391+00:00','{"card_id":"k2","call_id":"c1","name":"cancel","arguments":{"order_id":"#W1"},"result":"{\"status\": \"cancelled\", \"items\": [\"mug\"], \"total\": 12.5, \"reason\": \"asked\"}","error":false,"patch":[{"collection":"orders","key":"#W1","fields":[{"path":["status"],"before":"pending","after":"cancelled"},{"path":["reason"],"before":null,"after":"asked"}]}],"records_digest":"51d15b1dc14941a359600264cdb9f578ac920efe18b95e3060f642d35f78561c"}','f2bbce6b9af1297fe9860d8f67c41002dce20fd96d4cb0c2aee6b64f93a7e72d','7768681d39e623d6524091c91219db66e88936f99112067f9017afd3fb258796');
INSERT INTO "events" VALUES(12,'01M7ZADJPM58K00B40GZT0JWD9',12,'agent_said',NULL,1,'2026-11-21T15:08:26.209391+00:00','{"text":"Your order was cancelled.","about_card":null}','7768681d39e623d6524091c91219db66e88936f99112067f9017afd3fb258796','fd8a0b82649b0c6a40cb6e31e53d3721b14af74e981bb088e5cd91bd308d1128');
INSERT INTO "events" VALUES(13,'01M7ZADJPM58K00B40GZT0JWD9',13,'safeguards_changed',NULL,1,'2026-11-21T15:08:26.209391+00:00','{"safeguards":{"gate":false,"reflection":true,"context":true,"blocks":16,"blocks_as":"verbatim","policy_on_card":true,"after_feedback":"confirm","declines":3}}','fd8a0b82649b0c6a40cb6e31e53d3721b14af74e981bb088e5cd91bd308d1128','a1a5b3312ce756f1db79cf8d4aa896fe991b58710d21ac97ad1464c6127f24e4');
INSERT INTO "events" VALUES(14,'01M7ZADJPM58K00B40GZT0JWD9',14,'model_changed',NULL,1,'2026-11-21T15:08:26.209391+00:00','{"model":"gpt-4o"}','a1a5b3312ce756f1db79cf8d4aa896fe991b58710d21ac97ad1464c6127f24e4','8080eaca5f4f1a63e19bff8a740742d52daf11afb68454df9335c2e808e20a3e');
INSERT INTO "events" VALUES(15,'01M7ZADJPM58K00B40GZT0JWD9',15,'session_ended',NULL,1,'2026-11-21T15:08:26.209391+00:00','{"reason":"customer"}','8080eaca5f4f1a63e19bff8a740742d52daf11afb68454df9335c2e808e20a3e','d4a64706839670aee6e45f4fdc9828100237a39a790c932b80b319558687c896');
INSERT INTO "events" VALUES(16,'01M7ZADJPM58K00B40GZT0JWD9',16,'scored',NULL,1,'2026-11-21T15:08:26.209391+00:00','{"scenario":"one","reward":1.0,"records_match":true,"communicated":true,"differences":[],"missing":[],"unconsented_writes":0,"writes":0,"end":0,"task_end":null,"basis":[],"main":null,"classic":null,"cut_short":"","said":[],"actions":[],"assertions":[]}','d4a64706839670aee6e45f4fdc9828100237a39a790c932b80b319558687c896','f518be7dee2f99363f9afb0b20fb125fc2afa2784380ad8a781cf9405af3c198');
INSERT INTO "events" VALUES(17,'01M7ZADJQ4PRWDMMXTHGYP8PRN',1,'session_started',NULL,1,'2026-11-21T15:08:26.212955+00:00','{"domain":"air","source":"two orders","data":null,"tasks":null,"scenario":null,"scenario_digest":null,"model":"clerk+wrong_item","auxiliary":null,"safeguards":{"gate":true,"reflection":true,"context":true,"blocks":16,"blocks_as":"verbatim","policy_on_card":true,"after_feedback":"confirm","declines":3},"max_turns":30,"limits":{"actions":null,"tokens":null,"cost":null,"seconds":null},"program":"1","policy_digest":"p","tools_digest":"t","records_digest":"r","run":null}','','994ab0d9380bc26a7c57eddabe7abf326221d5500b6f644522c6e303d781736f');
INSERT INTO "events" VALUES(18,'01M7ZADJQ4PRWDMMXTHGYP8PRN',2,'customer_said',NULL,1,'2026-11-21T15:08:26.216944+00:00','{"text":"Is my flight to Lisbon refundable?","turn":1}','994ab0d9380bc26a7c57eddabe7abf326221d5500b6f644522c6e303d781736f','f0c13765c039a40cdb38c148fcb029857e3a40e5723eca081aa7d71b4eb74c80');
INSERT INTO "events" VALUES(19,'01M7ZADJQ4PRWDMMXTHGYP8PRN',3,'session_forked',NULL,1,'2026-11-21T15:08:26.216944+00:00','{"parent":"01M7ZADJPM58K00B40GZT0JWD9","seq":3}','f0c13765c039a40cdb38c148fcb029857e3a40e5723eca081aa7d71b4eb74c80','5498e628445e6137672313f04972f250251f0debe1573d179fa8621d5af9c359');
INSERT INTO "events" VALUES(20,'01M7ZADJQCGC20CFV1X1P64PA9',1,'session_started',NULL,1,'2026-11-21T15:08:26.220326+00:00','{"domain":"toy","source":"two orders","data":null,"tasks":null,"scenario":null,"scenario_digest":null,"model":"clerk","auxiliary":null,"safeguards":{"gate":true,"reflection":true,"context":true,"blocks":16,"blocks_as":"verbatim","policy_on_card":true,"after_feedback":"confirm","declines":3},"max_turns":30,"limits":{"actions":null,"tokens":null,"cost":null,"seconds":null},"program":"1","policy_digest":"p","tools_digest":"t","records_digest":"r","run":null}','','c22bb2ed5afb66f839bded57cc7bc983f8ee754c4eae53bc95e653a1c1f6d430');
CREATE TABLE sessions (
    id TEXT PRIMARY KEY CHECK (length(id) = 26),
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    domain TEXT NOT NULL,
    source TEXT NOT NULL,
    scenario TEXT,
    model TEXT NOT NULL,
    status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'ended')),
    ended TEXT,
    reward REAL,
    title TEXT,
    parent TEXT,
    fork_seq INTEGER,
    head_seq INTEGER NOT NULL,
    head_hash TEXT NOT NULL
) STRICT
;
INSERT INTO "sessions" VALUES('01M7ZADJPM58K00B40GZT0JWD9','2026-11-21T15:08:26.197116+00:00','2026-11-21T15:08:26.209391+00:00','toy','two orders','one','gpt-4o','ended','customer',1.0,'Please cancel my order for the café mug and a lone one',NULL,NULL,16,'f518be7dee2f99363f9afb0b20fb125fc2afa2784380ad8a781cf9405af3c198');
INSERT INTO "sessions" VALUES('01M7ZADJQ4PRWDMMXTHGYP8PRN','2026-11-21T15:08:26.212955+00:00','2026-11-21T15:08:26.216944+00:00','air','two orders',NULL,'clerk+wrong_item','open',NULL,NULL,'Is my flight to Lisbon refundable?','01M7ZADJPM58K00B40GZT0JWD9',3,3,'5498e628445e6137672313f04972f250251f0debe1573d179fa8621d5af9c359');
INSERT INTO "sessions" VALUES('01M7ZADJQCGC20CFV1X1P64PA9','2026-11-21T15:08:26.220326+00:00','2026-11-21T15:08:26.220326+00:00','toy','two orders',NULL,'clerk','open',NULL,NULL,NULL,NULL,NULL,1,'c22bb2ed5afb66f839bded57cc7bc983f8ee754c4eae53bc95e653a1c1f6d430');
ANALYZE "sqlite_master";
INSERT INTO "sqlite_stat1" VALUES('_sqlite_migrations','idx__sqlite_migrations_migration_set_name','1 1 1');
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE UNIQUE INDEX happens_once ON events (session_id, type, key) WHERE key IS NOT NULL
;
CREATE INDEX open_sessions ON sessions (id) WHERE status = 'open';
CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'an event is never changed'); END;
CREATE TRIGGER events_are_never_removed BEFORE DELETE ON events
WHEN EXISTS (SELECT 1 FROM sessions WHERE id = OLD.session_id)
BEGIN SELECT RAISE(ABORT, 'an event is only removed with its whole session'); END;
CREATE VIEW decisions AS
SELECT
    shown.session_id AS session,
    shown.seq AS seq,
    shown.key AS card,
    shown.payload ->> '$.card.tool' AS tool,
    shown.payload -> '$.card.arguments' AS arguments,
    shown.payload ->> '$.card.sentence' AS sentence,
    made.payload ->> '$.decision' AS decision,
    made.payload ->> '$.words' AS words,
    made.payload ->> '$.by' AS by,
    made.payload ->> '$.milliseconds' AS milliseconds,
    made.payload -> '$.overrode' AS overrode,
    used.seq IS NOT NULL AS consented,
    written.seq IS NOT NULL AND NOT (written.payload ->> '$.error') AS applied,
    CASE WHEN written.payload ->> '$.error' THEN written.payload ->> '$.result' END AS error,
    shown.at AS shown_at,
    made.at AS decided_at
FROM events AS shown
LEFT JOIN events AS made ON made.session_id = shown.session_id
    AND made.type = 'decision_made' AND made.key = shown.key
LEFT JOIN events AS used ON used.session_id = shown.session_id
    AND used.type = 'consent_used' AND used.key = shown.key
LEFT JOIN events AS written ON written.session_id = shown.session_id
    AND written.type = 'write_applied' AND written.key = shown.key
WHERE shown.type = 'card_shown';
COMMIT;
