PRAGMA application_id=1396852050;
PRAGMA user_version=5;
BEGIN TRANSACTION;
CREATE TABLE "_sqlite_migrations" (
   "id" INTEGER PRIMARY KEY,
   "migration_set" TEXT,
   "name" TEXT,
   "applied_at" TEXT
);
INSERT INTO "_sqlite_migrations" VALUES(1,'saber','m001_sessions_events_decisions','2026-11-21 17:09:24.864459+00:00');
INSERT INTO "_sqlite_migrations" VALUES(2,'saber','m002_find','2026-11-21 17:09:24.866429+00:00');
INSERT INTO "_sqlite_migrations" VALUES(3,'saber','m003_labels','2026-11-22 20:38:59.551098+00:00');
INSERT INTO "_sqlite_migrations" VALUES(4,'saber','m004_memory','2026-11-23 01:34:29.907960+00:00');
INSERT INTO "_sqlite_migrations" VALUES(5,'saber','m005_origins','2026-11-23 05:43:15.757773+00:00');
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
INSERT INTO "events" VALUES(21,'01M7ZADJPM58K00B40GZT0JWD9',17,'labelled',NULL,1,'2026-11-21T17:09:24.876661+00:00','{"about":"session","seq":null,"card_id":null,"verdict":"wrong","tags":["Wrong item","late"],"note":"the other mug","by":"ann"}','f518be7dee2f99363f9afb0b20fb125fc2afa2784380ad8a781cf9405af3c198','d7491003335ccb4221e4c7a2b38a93b8d7d7713a5368c28cf9f9549b24ab5749');
INSERT INTO "events" VALUES(22,'01M7ZADJPM58K00B40GZT0JWD9',18,'labelled',NULL,1,'2026-11-21T17:09:24.877350+00:00','{"about":"card","seq":null,"card_id":"k2","verdict":"right","tags":["checked"],"note":"","by":"bob"}','d7491003335ccb4221e4c7a2b38a93b8d7d7713a5368c28cf9f9549b24ab5749','97c5b901176f110fcf1f1ca343078058c27b27b72c78ad030bfe48215b709cc2');
INSERT INTO "events" VALUES(23,'01M7ZADJPM58K00B40GZT0JWD9',19,'labelled',NULL,1,'2026-11-21T17:09:24.877350+00:00','{"about":"event","seq":3,"card_id":null,"verdict":"unclear","tags":[],"note":"","by":"ann"}','97c5b901176f110fcf1f1ca343078058c27b27b72c78ad030bfe48215b709cc2','40d10b862ff5fbc37c62a7fc212ce9ebf0654758505cecba485f0f5079f7a08e');
INSERT INTO "events" VALUES(24,'01M7ZADJPM58K00B40GZT0JWD9',20,'labelled',NULL,1,'2026-11-21T17:09:24.877906+00:00','{"about":"session","seq":null,"card_id":null,"verdict":"right","tags":["late"],"note":"","by":"ann"}','40d10b862ff5fbc37c62a7fc212ce9ebf0654758505cecba485f0f5079f7a08e','f49c902e620d6edbfb0c3d86496c8967e8bd9dd291219cf440b6fac19d85e686');
INSERT INTO "events" VALUES(25,'01M7ZADJQ4PRWDMMXTHGYP8PRN',4,'labelled',NULL,1,'2026-11-21T17:09:24.878409+00:00','{"about":"event","seq":2,"card_id":null,"verdict":"wrong","tags":[],"note":"","by":"ann"}','5498e628445e6137672313f04972f250251f0debe1573d179fa8621d5af9c359','c302609406a9f7d7bae911c0492daa0b2b85036cebc82de5e513f76b1234f51b');
INSERT INTO "events" VALUES(26,'01M7ZHB38E8H56GCW70H56Y8AY',1,'session_started',NULL,1,'2026-11-21T17:09:24.878939+00:00','{"domain":"toy","source":"two orders","data":null,"tasks":null,"scenario":"one","scenario_digest":null,"model":"clerk","auxiliary":null,"safeguards":{"gate":true,"reflection":true,"context":true,"blocks":16,"blocks_as":"verbatim","policy_on_card":true,"after_feedback":"confirm","declines":3,"attention_checks":0.0},"max_turns":30,"limits":{"actions":null,"tokens":null,"cost":null,"seconds":null},"program":"1","policy_digest":"p","tools_digest":"t","records_digest":"r","run":null}','','e3e7050bc4fd1a00f26b8b28389b91a1be2af7e9eb10b30cebf7968d51c934a0');
INSERT INTO "events" VALUES(27,'01M7ZHB38E8H56GCW70H56Y8AY',2,'imported','d',1,'2026-11-21T17:09:24.878939+00:00','{"source":"tau2","file":"runs.json","original":"run-7","task":{},"trial":null,"recorded_reward":0.0,"ending":"","verdicts":[],"began":"","digest":"d"}','e3e7050bc4fd1a00f26b8b28389b91a1be2af7e9eb10b30cebf7968d51c934a0','6b2f3ee56c092e374845ab8781a00d7c0a6b6a68177f6634eb746a462bc08375');
INSERT INTO "events" VALUES(28,'01M7ZHB38E8H56GCW70H56Y8AY',3,'customer_said',NULL,1,'2026-11-21T17:09:24.878939+00:00','{"text":"An imported word","turn":1}','6b2f3ee56c092e374845ab8781a00d7c0a6b6a68177f6634eb746a462bc08375','781b857eb7b1ee6592556aae065bac859130936511d8cd1c2c08e29d5b39c60e');
INSERT INTO "events" VALUES(29,'01M7ZHB38E8H56GCW70H56Y8AY',4,'session_ended',NULL,1,'2026-11-21T17:09:24.878939+00:00','{"reason":"customer"}','781b857eb7b1ee6592556aae065bac859130936511d8cd1c2c08e29d5b39c60e','328dd4bd07e285e6af71dcb64674ff8eac84302fc09c2e5886ae2830104b3633');
INSERT INTO "events" VALUES(30,'01M830MN53AJWJPSD2MPJF40H2',1,'session_started',NULL,1,'2026-11-23T01:34:30.059353+00:00','{"domain":"toy","source":"two orders","data":null,"tasks":null,"scenario":null,"scenario_digest":null,"plays":null,"model":"clerk","auxiliary":null,"safeguards":{"gate":true,"reflection":true,"reflection_as":"auto","reflection_from":"policy+records","context":true,"blocks":16,"blocks_as":"verbatim","blocks_by":"text","judge_declared":false,"policy_on_card":true,"after_feedback":"confirm","declines":3,"attention_checks":0.0,"control":"baseline","router":"model"},"max_turns":30,"limits":{"actions":null,"tokens":null,"cost":null,"seconds":null},"requests":{"temperature":null,"reasoning_effort":null,"max_tokens":null,"timeout":null,"ask_as":"saber","think_tool":false},"program":"1","policy_digest":"p","tools_digest":"t","records_digest":"r","wording_digest":"","run":{"name":"night","settings":"abc","arm":"","trial":1,"seed":0,"customer":"scripted","run_seed":null,"agent":"","stream":{"memory":"policybank","feedback":"","read_by":"","policy_agent":"","begun_by":"","position":1}},"memory":{"bank":"night.policybank-reward-tool.1.1","revision":1,"by":"tool"}}','','fc4d027a46ddc60531e5be86e627320146a242a165f2509f9f2d3b0a7432eaa1');
INSERT INTO "events" VALUES(31,'01M830MN8HRHFQFXGZ7E17HS6P',1,'session_started',NULL,1,'2026-11-23T01:34:30.172016+00:00','{"domain":"toy","source":"two orders","data":null,"tasks":null,"scenario":null,"scenario_digest":null,"plays":null,"model":"clerk","auxiliary":null,"safeguards":{"gate":true,"reflection":true,"reflection_as":"auto","reflection_from":"policy+records","context":true,"blocks":16,"blocks_as":"verbatim","blocks_by":"text","judge_declared":false,"policy_on_card":true,"after_feedback":"confirm","declines":3,"attention_checks":0.0,"control":"baseline","router":"model"},"max_turns":30,"limits":{"actions":null,"tokens":null,"cost":null,"seconds":null},"requests":{"temperature":null,"reasoning_effort":null,"max_tokens":null,"timeout":null,"ask_as":"saber","think_tool":false},"program":"1","policy_digest":"p","tools_digest":"t","records_digest":"r","wording_digest":"","run":{"name":"night","settings":"abc","arm":"","trial":1,"seed":0,"customer":"scripted","run_seed":null,"agent":"","stream":{"memory":"policybank","feedback":"","read_by":"","policy_agent":"","begun_by":"","position":1}},"memory":{"bank":"mine","revision":1,"by":"tool"}}','','dea9d3170f6a38af2aff26b03c618fcc8103b933ba3535cdb6ab1d6a54588efc');
INSERT INTO "events" VALUES(32,'01M83EW4VMERVCXK5B2643H8YZ',1,'session_started',NULL,1,'2026-11-23T05:43:15.572513+00:00','{"domain":"toy","source":"two orders","data":null,"tasks":null,"scenario":null,"scenario_digest":null,"plays":null,"model":"clerk","auxiliary":null,"safeguards":{"gate":true,"reflection":true,"reflection_as":"auto","reflection_from":"policy+records","context":true,"blocks":16,"blocks_as":"verbatim","blocks_by":"text","judge_declared":false,"policy_on_card":true,"after_feedback":"confirm","declines":3,"attention_checks":0.0,"control":"baseline","router":"model"},"max_turns":30,"limits":{"actions":null,"tokens":null,"cost":null,"seconds":null},"requests":{"temperature":null,"reasoning_effort":null,"max_tokens":null,"timeout":null,"ask_as":"saber","think_tool":false},"program":"1","policy_digest":"p","tools_digest":"t","records_digest":"r","wording_digest":"","run":null,"memory":null}','','fa9ba11b1e83bbad9bd526f3dadb0eb3e90a3f1ca0229200b3424acdbca687bf');
INSERT INTO "events" VALUES(33,'01M83EW4VMERVCXK5B2643H8YZ',2,'card_shown','k1',1,'2026-11-23T05:43:15.572513+00:00','{"card":{"id":"k1","call_id":"c1","tool":"cancel","arguments":{"order_id":"#W1"},"sentence":"Cancel order #W1.","asked":[],"disagreements":[],"before":[{"name":"order is pending","source":"tool","verdict":"holds","value":"","said":[]}],"learned":[],"after":["order #W1: pending \u2192 cancelled"],"stays":[],"closes":["It cannot be taken back."],"removed":[],"non_ascii":[],"call_digest":"e0b0316bbe55db6c72475bbd924d6080e4aedc27f2a042c6bf8c29fa7101cacf","state_digest":"s","policy_shown":true,"worded_by":"","struck":"","unsupported":[]},"words_digest":"w","replaces":null}','fa9ba11b1e83bbad9bd526f3dadb0eb3e90a3f1ca0229200b3424acdbca687bf','2f7cb3981dafde7c5856e938100a14618fafa1a0a3622a9ff3a22106b9e68a56');
INSERT INTO "events" VALUES(34,'01M83EW4VMERVCXK5B2643H8YZ',3,'decision_made','k1',1,'2026-11-23T05:43:15.572513+00:00','{"card_id":"k1","decision":"reject","words":"It may be.","by":"person","milliseconds":900,"overrode":[]}','2f7cb3981dafde7c5856e938100a14618fafa1a0a3622a9ff3a22106b9e68a56','462cc175ac176b82eb5dec15900ef0687185ad69eba09e5f6a95dcb21c857d42');
INSERT INTO "events" VALUES(35,'01M83EW52P4VYN01NVFS61ED5E',1,'session_started',NULL,1,'2026-11-23T05:43:15.798884+00:00','{"domain":"toy","source":"two orders","data":null,"tasks":null,"scenario":null,"scenario_digest":null,"plays":null,"model":"clerk","auxiliary":null,"safeguards":{"gate":true,"reflection":true,"reflection_as":"auto","reflection_from":"policy+records","context":true,"blocks":16,"blocks_as":"verbatim","blocks_by":"text","judge_declared":false,"policy_on_card":true,"after_feedback":"confirm","declines":3,"attention_checks":0.0,"control":"baseline","router":"model"},"max_turns":30,"limits":{"actions":null,"tokens":null,"cost":null,"seconds":null},"requests":{"temperature":null,"reasoning_effort":null,"max_tokens":null,"timeout":null,"ask_as":"saber","think_tool":false},"program":"1","policy_digest":"p","tools_digest":"t","records_digest":"r","wording_digest":"","run":null,"memory":null}','','e8d0a87a8ee6597a9224ca8b341f1069f44767dc917f660b7cbba85d14b8eb54');
INSERT INTO "events" VALUES(36,'01M83EW52P4VYN01NVFS61ED5E',2,'card_shown','k1',1,'2026-11-23T05:43:15.798884+00:00','{"card":{"id":"k1","call_id":"c1","tool":"cancel","arguments":{"order_id":"#W1"},"sentence":"Cancel order #W1.","asked":[],"disagreements":[],"before":[{"name":"order is pending","source":"tool","verdict":"holds","value":"","said":[]}],"learned":[],"after":["order #W1: pending \u2192 cancelled"],"stays":[],"closes":["It cannot be taken back."],"removed":[],"non_ascii":[],"call_digest":"e0b0316bbe55db6c72475bbd924d6080e4aedc27f2a042c6bf8c29fa7101cacf","state_digest":"s","policy_shown":true,"worded_by":"","struck":"","unsupported":[]},"words_digest":"w","replaces":null}','e8d0a87a8ee6597a9224ca8b341f1069f44767dc917f660b7cbba85d14b8eb54','ea213cf1a04e02b8cb22fe38a1834539ff2ca896ba9ea58eb807cde9ab7a673a');
INSERT INTO "events" VALUES(37,'01M83EW52P4VYN01NVFS61ED5E',3,'decision_made','k1',1,'2026-11-23T05:43:15.798884+00:00','{"card_id":"k1","decision":"reject","words":"It may be so.","by":"person","milliseconds":900,"overrode":[]}','ea213cf1a04e02b8cb22fe38a1834539ff2ca896ba9ea58eb807cde9ab7a673a','db3cd13a05b169e60a15feb55d49536cc65642649363ae648a187cae7c387eff');
CREATE TABLE memory_banks (
    name TEXT PRIMARY KEY,
    domain TEXT NOT NULL,
    policy_digest TEXT NOT NULL,
    data TEXT,
    created_at TEXT NOT NULL
, stream TEXT) STRICT
;
INSERT INTO "memory_banks" VALUES('own','toy','89ecfefe415b5db1dd8bd08ad5e66331185c994ed5d313cb21e2a0ba4f0858fb',NULL,'2026-11-23T01:34:29+00:00',NULL);
INSERT INTO "memory_banks" VALUES('night.policybank-reward-tool.1.1','toy','89ecfefe415b5db1dd8bd08ad5e66331185c994ed5d313cb21e2a0ba4f0858fb',NULL,'2026-11-23T01:34:30+00:00','night abc');
INSERT INTO "memory_banks" VALUES('mine','toy','89ecfefe415b5db1dd8bd08ad5e66331185c994ed5d313cb21e2a0ba4f0858fb',NULL,'2026-11-23T01:34:30+00:00',NULL);
CREATE TABLE memory_changes (
    bank TEXT NOT NULL REFERENCES memory_banks(name),
    revision INTEGER NOT NULL CHECK (revision > 0),
    at TEXT NOT NULL,
    key TEXT,
    payload TEXT NOT NULL,
    prev_hash TEXT NOT NULL,
    hash TEXT NOT NULL,
    PRIMARY KEY (bank, revision)
) STRICT
;
INSERT INTO "memory_changes" VALUES('own',1,'2026-11-23T01:34:29+00:00',NULL,'{"by":"person","capability":"cancel","does":"edit","entry":{"capability":"cancel","tool":"cancel","trigger":"asked"},"origin":{"kind":"person"}}','1c93443321ced87c42917c3a23cf698a22f0d210e0c4e1072ec6d51de7be3dd5','62f68153eb676c4f81a563f7eba35953854ab3af3912a4c98c462056aae551d6');
INSERT INTO "memory_changes" VALUES('own',2,'2026-11-23T01:34:29+00:00',NULL,'{"by":"person","capability":"cancel","does":"propose","entry":{"capability":"cancel","tool":"cancel","trigger":"broken"},"origin":{"kind":"person"}}','62f68153eb676c4f81a563f7eba35953854ab3af3912a4c98c462056aae551d6','e4bbf471879d02310869935178cfed1f6ed7cbf062810f5152e6f34139a973cc');
INSERT INTO "memory_changes" VALUES('own',3,'2026-11-23T01:34:29+00:00',NULL,'{"by":"person","capability":"cancel","does":"accept","origin":{"kind":"person"}}','e4bbf471879d02310869935178cfed1f6ed7cbf062810f5152e6f34139a973cc','196737a36d2b2165419e5b95e0548b3af1fe956e9af3cde7e6fb54d2d7f1e6aa');
INSERT INTO "memory_changes" VALUES('own',4,'2026-11-23T01:34:30+00:00',NULL,'{"by":"person","capability":"cancel","does":"propose","entry":{"capability":"cancel","tool":"cancel","trigger":"late"},"origin":{"kind":"person"}}','196737a36d2b2165419e5b95e0548b3af1fe956e9af3cde7e6fb54d2d7f1e6aa','b2d591de4efa8225790ee89e04fcb4da2b243016692ae24e798ccccdc13ad69b');
INSERT INTO "memory_changes" VALUES('own',5,'2026-11-23T01:34:30+00:00',NULL,'{"by":"person","capability":"cancel","does":"propose","entry":{"capability":"cancel","tool":"cancel","trigger":"later"},"origin":{"kind":"person"}}','b2d591de4efa8225790ee89e04fcb4da2b243016692ae24e798ccccdc13ad69b','a724230d7abdf9a4e01e55b66b72484c917d48377e593a912d55a0002033a484');
INSERT INTO "memory_changes" VALUES('night.policybank-reward-tool.1.1',1,'2026-11-23T01:34:30+00:00',NULL,'{"by":"rules","capability":"cancel","does":"edit","entry":{"capability":"cancel","tool":"cancel","trigger":"asked"},"origin":{"kind":"policy"}}','6b0126a7b800bab3af0696a5b715a8bec4e901527abfa4105ece5a23e39b3cae','940686fdc7f9d548f4edeca43dd9911c5502ae8005271f580b3de0f817f02e4f');
INSERT INTO "memory_changes" VALUES('night.policybank-reward-tool.1.1',2,'2026-11-23T01:34:30+00:00','01M7ZADJPM58K00B40GZT0JWD9:3','{"by":"rules","capability":"cancel","does":"propose","entry":{"capability":"cancel","tool":"cancel","trigger":"x"},"origin":{"kind":"session","seq":3,"session":"01M7ZADJPM58K00B40GZT0JWD9"}}','940686fdc7f9d548f4edeca43dd9911c5502ae8005271f580b3de0f817f02e4f','589485817518125fff4c98e5541fcf9e8f525259732d2b704b742dc9a02ced03');
INSERT INTO "memory_changes" VALUES('night.policybank-reward-tool.1.1',3,'2026-11-23T01:34:30+00:00',NULL,'{"by":"a stream, which accepts whatever is proposed","capability":"cancel","does":"accept","origin":{"kind":"judge"}}','589485817518125fff4c98e5541fcf9e8f525259732d2b704b742dc9a02ced03','9ffd005403179a65c9c0e83318fb456bdbd26c7e2ddc8be10ddb5ad53c13e499');
INSERT INTO "memory_changes" VALUES('mine',1,'2026-11-23T01:34:30+00:00',NULL,'{"by":"rules","capability":"cancel","does":"edit","entry":{"capability":"cancel","tool":"cancel","trigger":"asked"},"origin":{"kind":"policy"}}','03a4887ca7f2d0d721a75b8ad433a48f823fa77dec00645d49591c2fedda8725','792777e53ac4e519cfb3157615b3c1145cf7a0583df59e5712360e63682b3de9');
INSERT INTO "memory_changes" VALUES('mine',2,'2026-11-23T01:34:30+00:00','01M7ZADJPM58K00B40GZT0JWD9:3','{"by":"rules","capability":"cancel","does":"propose","entry":{"capability":"cancel","tool":"cancel","trigger":"x"},"origin":{"kind":"session","seq":3,"session":"01M7ZADJPM58K00B40GZT0JWD9"}}','792777e53ac4e519cfb3157615b3c1145cf7a0583df59e5712360e63682b3de9','27c0e9fb2ca079ac40b228349182affe89a0d8dceb2e150315d273e5291490bd');
INSERT INTO "memory_changes" VALUES('mine',3,'2026-11-23T01:34:30+00:00',NULL,'{"by":"a stream, which accepts whatever is proposed","capability":"cancel","does":"accept","origin":{"kind":"judge"}}','27c0e9fb2ca079ac40b228349182affe89a0d8dceb2e150315d273e5291490bd','c22d0006125c4a66e8224a643db905eacf8c7e908372190771e1181260608827');
INSERT INTO "memory_changes" VALUES('mine',4,'2026-11-23T01:34:30+00:00',NULL,'{"by":"person","capability":"cancel","does":"undo","origin":{"kind":"person"}}','c22d0006125c4a66e8224a643db905eacf8c7e908372190771e1181260608827','1ccfcb207c3438efcca315de689a73ab00b58067c140215a85696d39976ddff0');
CREATE TABLE memory_heads (
    bank TEXT PRIMARY KEY REFERENCES memory_banks(name),
    revision INTEGER NOT NULL,
    hash TEXT NOT NULL
) STRICT
;
INSERT INTO "memory_heads" VALUES('mine',4,'1ccfcb207c3438efcca315de689a73ab00b58067c140215a85696d39976ddff0');
INSERT INTO "memory_heads" VALUES('night.policybank-reward-tool.1.1',3,'9ffd005403179a65c9c0e83318fb456bdbd26c7e2ddc8be10ddb5ad53c13e499');
INSERT INTO "memory_heads" VALUES('own',5,'a724230d7abdf9a4e01e55b66b72484c917d48377e593a912d55a0002033a484');
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
, number INTEGER NOT NULL DEFAULT 0, turns INTEGER NOT NULL DEFAULT 0, cards INTEGER NOT NULL DEFAULT 0, writes INTEGER NOT NULL DEFAULT 0, safeguards TEXT NOT NULL DEFAULT '', run TEXT, said_seq INTEGER NOT NULL DEFAULT 0, labels TEXT NOT NULL DEFAULT '', tags TEXT NOT NULL DEFAULT '') STRICT
;
INSERT INTO "sessions" VALUES('01M7ZADJPM58K00B40GZT0JWD9','2026-11-21T15:08:26.197116+00:00','2026-11-21T15:08:26.209391+00:00','toy','two orders','one','gpt-4o','ended','customer',1.0,'Please cancel my order for the café mug and a lone one',NULL,NULL,20,'f49c902e620d6edbfb0c3d86496c8967e8bd9dd291219cf440b6fac19d85e686',1,2,2,1,'reflection context policy_on_card','night',20,'2 right, 1 unclear','checked
late');
INSERT INTO "sessions" VALUES('01M7ZADJQ4PRWDMMXTHGYP8PRN','2026-11-21T15:08:26.212955+00:00','2026-11-21T15:08:26.216944+00:00','air','two orders',NULL,'clerk+wrong_item','open',NULL,NULL,'Is my flight to Lisbon refundable?','01M7ZADJPM58K00B40GZT0JWD9',3,4,'c302609406a9f7d7bae911c0492daa0b2b85036cebc82de5e513f76b1234f51b',2,1,0,0,'gate reflection context policy_on_card',NULL,4,'1 wrong','');
INSERT INTO "sessions" VALUES('01M7ZADJQCGC20CFV1X1P64PA9','2026-11-21T15:08:26.220326+00:00','2026-11-21T15:08:26.220326+00:00','toy','two orders',NULL,'clerk','open',NULL,NULL,NULL,NULL,NULL,1,'c22bb2ed5afb66f839bded57cc7bc983f8ee754c4eae53bc95e653a1c1f6d430',3,0,0,0,'gate reflection context policy_on_card',NULL,1,'','');
INSERT INTO "sessions" VALUES('01M7ZHB38E8H56GCW70H56Y8AY','2026-11-21T17:09:24.878939+00:00','2026-11-21T17:09:24.878939+00:00','toy','imported from runs.json','one','clerk','ended','customer',NULL,'An imported word',NULL,NULL,4,'328dd4bd07e285e6af71dcb64674ff8eac84302fc09c2e5886ae2830104b3633',4,1,0,0,'gate reflection context policy_on_card',NULL,4,'','');
INSERT INTO "sessions" VALUES('01M830MN53AJWJPSD2MPJF40H2','2026-11-23T01:34:30.059353+00:00','2026-11-23T01:34:30.059353+00:00','toy','two orders',NULL,'clerk','open',NULL,NULL,NULL,NULL,NULL,1,'fc4d027a46ddc60531e5be86e627320146a242a165f2509f9f2d3b0a7432eaa1',5,0,0,0,'gate reflection context policy_on_card','night',1,'','');
INSERT INTO "sessions" VALUES('01M830MN8HRHFQFXGZ7E17HS6P','2026-11-23T01:34:30.172016+00:00','2026-11-23T01:34:30.172016+00:00','toy','two orders',NULL,'clerk','open',NULL,NULL,NULL,NULL,NULL,1,'dea9d3170f6a38af2aff26b03c618fcc8103b933ba3535cdb6ab1d6a54588efc',6,0,0,0,'gate reflection context policy_on_card','night',1,'','');
INSERT INTO "sessions" VALUES('01M83EW4VMERVCXK5B2643H8YZ','2026-11-23T05:43:15.572513+00:00','2026-11-23T05:43:15.572513+00:00','toy','two orders',NULL,'clerk','open',NULL,NULL,NULL,NULL,NULL,3,'462cc175ac176b82eb5dec15900ef0687185ad69eba09e5f6a95dcb21c857d42',7,0,1,0,'gate reflection context policy_on_card',NULL,3,'','');
INSERT INTO "sessions" VALUES('01M83EW52P4VYN01NVFS61ED5E','2026-11-23T05:43:15.798884+00:00','2026-11-23T05:43:15.798884+00:00','toy','two orders',NULL,'clerk','open',NULL,NULL,NULL,NULL,NULL,3,'db3cd13a05b169e60a15feb55d49536cc65642649363ae648a187cae7c387eff',8,0,1,0,'gate reflection context policy_on_card',NULL,3,'','');
CREATE TABLE taken_in (
    session_id TEXT PRIMARY KEY REFERENCES sessions(id) ON DELETE CASCADE,
    file TEXT NOT NULL,
    events INTEGER NOT NULL,
    at TEXT NOT NULL
) STRICT
;
INSERT INTO "taken_in" VALUES('01M83EW4VMERVCXK5B2643H8YZ','their.jsonl',3,'2026-11-23T05:43:15+00:00');
CREATE UNIQUE INDEX happens_once ON events (session_id, type, key) WHERE key IS NOT NULL
;
CREATE UNIQUE INDEX "idx__sqlite_migrations_migration_set_name"
    ON "_sqlite_migrations" ("migration_set", "name");
CREATE UNIQUE INDEX learned_once ON memory_changes (bank, key) WHERE key IS NOT NULL
;
CREATE INDEX open_sessions ON sessions (id) WHERE status = 'open';
CREATE INDEX sessions_of_run ON sessions (run, id) WHERE run IS NOT NULL;
CREATE INDEX sessions_to_find ON sessions
    (number, domain, model, scenario, status, reward, safeguards, run, created_at, labels, tags)
;
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
CREATE VIEW labels AS
SELECT
    given.session_id AS session,
    given.seq AS seq,
    given.payload ->> '$.about' AS about,
    given.payload ->> '$.seq' AS event,
    given.payload ->> '$.card_id' AS card,
    given.payload ->> '$.verdict' AS verdict,
    given.payload -> '$.tags' AS tags,
    given.payload ->> '$.note' AS note,
    given.payload ->> '$.by' AS by,
    given.at AS at,
    NOT EXISTS (
        SELECT 1 FROM events AS later
        WHERE later.session_id = given.session_id AND later.seq > given.seq AND (
            later.type = 'session_forked' AND given.payload ->> '$.about' = 'session'
            OR later.type = 'labelled'
            AND later.payload ->> '$.by' = given.payload ->> '$.by'
            AND later.payload ->> '$.about' = given.payload ->> '$.about'
            AND later.payload ->> '$.card_id' IS given.payload ->> '$.card_id'
            AND later.payload ->> '$.seq' IS given.payload ->> '$.seq'
        )
    ) AS holds
FROM events AS given
WHERE given.type = 'labelled';
CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events
BEGIN SELECT RAISE(ABORT, 'an event is never changed'); END;
CREATE TRIGGER events_are_never_removed BEFORE DELETE ON events
WHEN EXISTS (SELECT 1 FROM sessions WHERE id = OLD.session_id)
BEGIN SELECT RAISE(ABORT, 'an event is only removed with its whole session'); END;
CREATE TRIGGER memory_banks_are_never_removed BEFORE DELETE ON memory_banks BEGIN SELECT RAISE(ABORT, 'what a memory learned is never changed'); END;
CREATE TRIGGER memory_changes_are_never_removed BEFORE DELETE ON memory_changes BEGIN SELECT RAISE(ABORT, 'what a memory learned is never changed'); END;
CREATE TRIGGER memory_banks_are_never_changed BEFORE UPDATE ON memory_banks BEGIN SELECT RAISE(ABORT, 'what a memory learned is never changed'); END;
CREATE TRIGGER memory_changes_are_never_changed BEFORE UPDATE ON memory_changes BEGIN SELECT RAISE(ABORT, 'what a memory learned is never changed'); END;
CREATE TRIGGER memory_heads_are_never_removed BEFORE DELETE ON memory_heads BEGIN SELECT RAISE(ABORT, 'what a memory learned is never changed'); END;
COMMIT;
CREATE VIRTUAL TABLE said_index USING fts5(text, content='', columnsize=0, tokenize='unicode61 remove_diacritics 2');
DELETE FROM said_index_config;
INSERT INTO said_index_config VALUES('version',4);
DELETE FROM said_index_data;
INSERT INTO said_index_data VALUES(1,X'0E3B');
INSERT INTO said_index_data VALUES(10,X'000000000105050005010101020101030101040101050101');
INSERT INTO said_index_data VALUES(137438953473,X'0000014002306188808002020B02026E6488808002020A01046361666588808002020803046E63656C88808002020301020802020203020207036C65648880800C02050104666F6F6C88808004020403017288808002020601016988808003020701046C6F6E6588808002020C01036D756788808002020902017988808002020401036E6F7488808007020201026F6688808003020302026E6588808002020D0502040204726465728880800202050302030302030402030601738880800302050106706C6561736588808002020201057368616C6C88808003020602016F88808006020301047468617488808007020303016588808002020701027731888080040202010204030204020261738880800C02040204686963688880800302020301798880800602020103796F7588808004020304017288808003020409020204090A0C150B0C09090C0B090B0A0D15090E0D090C09100A0C090B');
INSERT INTO said_index_data VALUES(274877906945,X'000000500730666C696768749080800202040102697390808002020201066C6973626F6E90808002020601026D79908080020203010A726566756E6461626C659080800202070102746F908080020205040E0A0E0A12');
INSERT INTO said_index_data VALUES(412316860417,X'0000002A0330616EA080800302020108696D706F72746564A080800302030104776F7264A08080030204040A10');
INSERT INTO said_index_data VALUES(549755813889,X'0000004803306265B88080030204010663616E63656CB8808002020201026974B8808003020201036D6179B8808003020301056F72646572B8808002020301027731B88080020204040A0E0A0B0D');
INSERT INTO said_index_data VALUES(687194767361,X'0000005203306265C08080030204010663616E63656CC0808002020201026974C0808003020201036D6179C0808003020301056F72646572C080800202030102736FC0808003020501027731C08080020204040A0E0A0B0D0A');
DELETE FROM said_index_idx;
INSERT INTO said_index_idx VALUES(1,X'',2);
INSERT INTO said_index_idx VALUES(2,X'',2);
INSERT INTO said_index_idx VALUES(3,X'',2);
INSERT INTO said_index_idx VALUES(4,X'',2);
INSERT INTO said_index_idx VALUES(5,X'',2);
