<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en" sourcelanguage="en">
<context>
    <name>AnswersPanel</name>
    <message>
        <source>Minimum answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maximum answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SQL of the maximum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the SELECT of the maximum here, then F5.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Which answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The most it may hold</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Minimum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maximum</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The least that an answer must hold to be right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The most that an answer may hold and still be right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Maximum …</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No maximum</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ArchivePage</name>
    <message>
        <source>Back  (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Statements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Minimum answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Session {0}, to look at only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No query was sent.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing was sent.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer cannot be read from the journal. “curtain verify” says what is wrong with it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>STATEMENTS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ANSWER</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the subject saw this</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MINIMUM ANSWER</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>QUERY</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>AskDialog</name>
    <message>
        <source>Go back  (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Asking</name>
    <message>
        <source>There is no turn yet to write a note on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No scenario is running. Ctrl+N begins the next one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No task remains after this one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The subject sees the closing page, and both stations go idle.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The subject has not filled in: {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End the session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The session is not over.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The session is ending, and not everything has arrived.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The subject is asked to wait, and sees nothing new until you resume it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing is lost: the session stays open.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close the window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not everything has arrived. The session stays unfinished; resume it later to complete it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave it unfinished</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not here: {0}. The journal records the gap, and nothing can be added afterwards.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close as it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close it as it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The station that asks takes the subject’s place in session {0} and gets the record from here. {1} What the earlier station has not sent is lost to this session, and it is refused from then on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not here: {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Every announced recording is here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let it in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The subject’s station puts its own record of the session aside, under another name in its folder, and goes on with the one that is kept here. What stands only in its own is lost to this session.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the record kept here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One task remains: {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} tasks remain: {1}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The scenario {0} still runs, and no answer to it is noted: Ctrl+E notes one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>One turn waits for an answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} turns wait for an answer.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChairDesk</name>
    <message>
        <source>There is nothing to hand over: no turn is open here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nobody else is here for this part.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turn {0} goes to {1}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Chairs</name>
    <message>
        <source>The session is about “{0}”, and this desk&apos;s study about “{1}”. Join with its study.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You join as {0}. Waiting for the session to begin.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The session’s own station is not connected. What you type stays here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>wizard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>transcriber</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>answerer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>observer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>turn {0}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ChipRow</name>
    <message>
        <source>Values of the query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>As it was found  (Del)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Without it  (Del)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{0}” is read as {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{0}” of an earlier turn: {1}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ClosingPage</name>
    <message>
        <source>Back to the start page  (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close it as it is</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Session {0} is ending</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Writing the list of files.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Leave it unfinished</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Session {0} is closed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>All files are here and listed in the manifest. Both stations are idle.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Closed without {0}; the journal records the gap.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ConsentGroup</name>
    <message>
        <source>Recordings may be kept</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Shared with other labs</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Published</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Quoted in talks and papers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>today, or a day such as 2026-03-01</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Signed on</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>CutShort</name>
    <message>
        <source>another window came to the front</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the subject’s page changed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the key was held for {0} seconds</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the subject’s station was closed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the microphone was lost</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the subject’s disk was full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the subject’s station stopped</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>it ended before the subject did</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}, Enter asks again.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DeadlineBar</name>
    <message>
        <source>No turn waits</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time is over  {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hurry  {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} to answer</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DraftList</name>
    <message>
        <source>Drafts</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DraftingTool</name>
    <message>
        <source>This draft does not come from one example, so there is nothing to withdraw.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{0}” is no longer an example. Ctrl+Z in the drafts restores it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No example was withdrawn.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>“{0}” is an example again.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DraftsControl</name>
    <message>
        <source>The drafts are not ready yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no draft {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Draft {0} has changed. Check it, then take it.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DraftsDesk</name>
    <message>
        <source>There are no drafts to look at.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No values were found in the query.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take it and run it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Withdraw its example</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Restore the withdrawn example</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DraftsPanel</name>
    <message>
        <source>for earlier words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DRAFTS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other wording, used for the drafts only</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Other wording, used for the drafts only:</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>DraftsPresenter</name>
    <message>
        <source>Being prepared. A session may begin meanwhile.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Learning {0} examples, {1} %. A session may begin meanwhile.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sure</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>likely</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>maybe</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>guess</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not counted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 empty row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ignored: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>confidence {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>for earlier words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>drafting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>learning, {0} %</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No drafts: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drafts come as you type the query.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No draft fits these words. Write the SQL below, or try other words with Ctrl+R.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Preparing drafts…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drafts: learning {0} examples, {1} %</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>EndScenarioDialog</name>
    <message>
        <source>End of scenario {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>nothing was stated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>answered</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>given up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>put aside</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Answer stated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The scenario was</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The subject typed it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Taken from the query.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>End the scenario</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go back  (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ExperimentDesk</name>
    <message>
        <source>Reading the words of the recogniser. This takes a moment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turn {1}: {0} in {2} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stopped: you answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hears turn {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Works on turn {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Runs SQL for turn {0}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>JudgedPage</name>
    <message>
        <source>Next turn  (Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Not right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>turn {0} of {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Results  (Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>an answer from the database</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} s to the query{1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} s to the reply{1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} s in all{1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>after the deadline</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recorded query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You typed</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Reference</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You sent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Time</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Keys</name>
    <message>
        <source>Listen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>play again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>back 1 second</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>speed 1.0, 0.8, 0.6, 1.3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to the query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>take the greyed words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tab in it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>send the query, also again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drafts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>take a draft and run it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to the drafts: Up/Down look, Enter takes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>there: withdraw the example, bring it back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Del, Ctrl+Z</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to the values: Enter swaps, Del takes one out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>other words, never seen by the subject</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SQL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to the SQL without sending the query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>yes/no question or not</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to the rules and back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to the maximum and back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>complete</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>earlier statements</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>send the answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Messages</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>open</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>send that message at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>key in a frame</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>choose; a blank first searches</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number or letters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>blanks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tab</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>send</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Esc</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to the list: F2 plays, F9 notes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>correct the last answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>note on the turn at work</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>to the task and back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>end of scenario</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>next scenario</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>pause, go on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>hand this part of the turn to another chair</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>end the session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>somebody has gone to the booth that called</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>what a red line offers</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Experiment</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>take over this turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>stop the system, let it go on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>take a waiting reply back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>full screen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>fold the right column</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Window</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>larger text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>smaller text</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>text of the ordinary size</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>colours: the system’s, light, dark, high contrast</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>KeysDialog</name>
    <message>
        <source>Keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close  (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LearningCurve</name>
    <message>
        <source>Accuracy of each sitting: {0}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LevelGroup</name>
    <message>
        <source>Reason for a session below the level</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>why this wizard takes the session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The study asks for {0} in practice, and {1} has not practised: “curtain train”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} has {1} right in practice; the study asks for {2}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>LevelMeter</name>
    <message>
        <source>Microphone level</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ListenControl</name>
    <message>
        <source>F2 tries it again.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ListenPanel</name>
    <message>
        <source>Replay  F2</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>-1 s  F3</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} of {1} s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>speaking now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}x  F4</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MessagePanel</name>
    <message>
        <source>Search for a message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Ctrl+M, then number or letters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SENDS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>MESSAGES</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No message fits.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MessageRows</name>
    <message>
        <source>Canned messages</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Microphone</name>
    <message>
        <source>The microphone “{0}” is not connected at the subject’s station. Connect it, or choose another there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No microphone is connected at the subject’s station. Connect one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The subject’s station cannot record sound. Run “curtain check” there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mic missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mic opening</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mic not chosen</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no microphone</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no sound input</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mic</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not tried yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>listening</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no sound</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>too quiet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>good</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>too loud</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mic test: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The subject is at the microphone test with “{0}”: {1}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The subject’s microphone “{0}” is gone. What was recorded is safe; connect it again.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The subject is speaking, and no sound comes from the microphone. It may be muted.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turn {0} holds no sound: the subject’s microphone may be muted. Let the subject check it.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>MissingLine</name>
    <message>
        <source>Another desk can join at {0}. {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The subject’s station is missing. On its computer: curtain subject --connect {0}. {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source> or </source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairing is closed for {0} s after wrong codes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Code {0}, if it asks for one.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Code {0}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Navigation</name>
    <message>
        <source>Wizard, session {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turns: {0}; with a reply: {1}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The subject withdraws: erase this speaker with “curtain forget”, see docs/lab.md.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wizard</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NextScenarioDialog</name>
    <message>
        <source>Next scenario</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Search for a scenario</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>letters of its id or title; Enter begins it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scenarios</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Begin it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go back  (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>   (done)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>NoteDialog</name>
    <message>
        <source>Note on turn {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Enter keeps it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Keep the note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go back  (Esc)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Notices</name>
    <message>
        <source>Opening the session.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Let it in</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Use the record kept here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The subject fills in: {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The subject has filled in everything.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The subject asks for help. Pause the session with {0}, and go there.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>OperatorPanel</name>
    <message>
        <source>Take over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Take back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Go on</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Plan</name>
    <message>
        <source>the speaker id (three of a-z and 0-9)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the wizard id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a scenario</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the reason for departing from the design</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the reason for a wizard below the level</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the subject’s consent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the consent id</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the day of the signature as 2026-03-01, not as “{0}”.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Write the speaker id “{0}” in small letters: {1}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The speaker id “{0}” is too short. Use three characters a-z and 0-9, such as e00.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The speaker id “{0}” may only contain a-z and 0-9, such as e00.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Still missing: {0}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>PlanPanel</name>
    <message>
        <source>Number of the subject in the design</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Why this subject departs from the design</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>why this subject departs from the design</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Subject</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>DESIGN</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>QueryPanel</name>
    <message>
        <source>Query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>QUERY</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the subject sees this</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>sent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>changed since it was sent</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ReceiverMenu</name>
    <message>
        <source>Hand this part to</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ResultPanel</name>
    <message>
        <source>Answer as the subject will see it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Run a statement to see its answer here.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>From an earlier statement</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as the subject will see it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>RESULT</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ResultsPage</name>
    <message>
        <source>Sittings</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Close  (Enter)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Practice of {0}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RoomPanel</name>
    <message>
        <source>Space: the next session is in this booth. Delete: unpair it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Delete: unpair this desk.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paired stations</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On the subject&apos;s computer: curtain subject --connect ADDRESS. Then type this code there.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>On the other computer: curtain wizard --study STUDY --join ADDRESS --as ROLE --code CODE</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>OTHER CHAIRS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>THE OTHER ROOM</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Pairing is closed for {0} s after wrong codes.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Code {0}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RoomsControl</name>
    <message>
        <source>{0} is no longer paired.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} is paired.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} tried to pair while pairing is closed.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} tried to pair with a wrong code.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>A station at {0} was turned away: {1}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>RulesPanel</name>
    <message>
        <source>Principles of interpretation</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show the other rules ({0})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Show all rules ({0})</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Hide them</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>ScenarioList</name>
    <message>
        <source>Scenarios</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>   (done by this speaker)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SchemaPanel</name>
    <message>
        <source>Find a table or a column</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Tables, columns and values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Schema or task</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Schema</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Task</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rules</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Rules ({0})</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SessionList</name>
    <message>
        <source>Earlier sessions</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Begun</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>State</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cannot be read</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>closed: Enter looks at it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not ended: Enter resumes it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>trial, </source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SessionOpening</name>
    <message>
        <source>Several sessions were not ended. Choose the one to resume.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SpeakerGroup</name>
    <message>
        <source>About the speaker (optional)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not stated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>yes</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Age</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sex, as stated</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Grew up in (region)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Native speaker of English</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SqlEditor</name>
    <message>
        <source>SQL</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SqlPanel</name>
    <message>
        <source>Run  F5</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Yes/no question  F6</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SQL</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} more in Rules</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Stop  F5</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>StartPage</name>
    <message>
        <source>Reading the domain. This takes a moment.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>start the session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>resume session {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>open the chosen session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Practice first: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The system’s own</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>not connected yet</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Session {0} was not ended.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>three characters a-z and 0-9, such as e00</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>who sits here</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The subject has read and signed the consent form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>as on the signed form</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Trial session: not data</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Start the session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Resume it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Speaker</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wizard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Consent</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Listen with</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Subject’s station</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Drafts</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Space chooses, Alt+Up and Alt+Down change the order.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>WHO</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>SCENARIOS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>EARLIER SESSIONS</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everything is filled in. Enter resumes session {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everything is filled in. Enter opens the session chosen in this list.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Everything is filled in. Enter starts.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Steps</name>
    <message>
        <source>go on</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wait until everything has arrived</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>back to the start page</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>turns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>play</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>next field</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>order of the scenarios</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>take it and run it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>look</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>withdraw its example</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>back</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>other values</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>choose</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>without it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keep these words</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the words of the query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>choose a turn</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>play it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>note on it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for the session to begin</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>next question</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>keys</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The subject is speaking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wait for the subject</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>note</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>correct the last answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Fill in the blank</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>send</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>blanks</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>close</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>number or letters</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>framed key</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>send it at once</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>send query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>replay</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>back 1 s</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>send query and answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>take the words that were made out</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>end the scenario</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>take a draft</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>send “{0}”</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>leave it as it was</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Running</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>send answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run again</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>run the changed statement</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Waiting for the subject’s station</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>end the session</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>next scenario</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>end the scenario: the subject answers “{0}”</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>SystemChair</name>
    <message>
        <source>{0} answers this turn. Ctrl+Shift+O takes it over.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No turn waits for a system, so there is nothing to take over.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>You answer turn {0}. It does not count for the comparison.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No system answers in this scenario.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No reply waits for its moment.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TabKeys</name>
    <message>
        <source>This database has no principles of interpretation.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TaskPanel</name>
    <message>
        <source>The task as the subject reads it</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The subject states an answer at its end.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No answer is asked for at its end.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TopBar</name>
    <message>
        <source>not connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>mic missing</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>disk 1,000 h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>So many hours of speech still fit on the fuller of the two disks.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>REC</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>linked</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>disk</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>disk {0} h</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>idle</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Training</name>
    <message>
        <source>No turn was answered.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} of {1} replies were right in this sitting.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} came after the deadline.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The level of {0} that the study asks for is reached.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The level of {0} that the study asks for is not reached yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Began (UTC)</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Turns</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Right</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>95 % interval</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seconds to the query</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seconds to the reply</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Seconds in all</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Original wizard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Late</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Kappa of messages</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TurnControl</name>
    <message>
        <source>The query is empty. Type what you heard, or send a message with Ctrl+M.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer goes out when its maximum is ready. F5 sends it without a maximum.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The answer goes out when the table to show is ready. F5 sends the minimum.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No turn is open, so there is nothing to reply to. F8 corrects the last answer.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Nothing has been sent yet.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The statement changed before its maximum was ready. Nothing was sent.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The statement is still running. Send when you see its result.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The last run failed, so there is no answer to send.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>There is no statement to run. Ctrl+L goes to the SQL, Ctrl+M to the messages.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>This statement has not been run yet. It is running now: check the result, then send again.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>TurnList</name>
    <message>
        <source>Turns</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>Turns</name>
    <message>
        <source>Turn {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Sent: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Too loud: the recording is clipped.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Cut short: {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No sound: the recording is silent.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The recording was recovered after a crash.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Note: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a table of 1 row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>a table of {0} rows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>then started over</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>now</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Task</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Task {0} of {1}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Practice</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>done</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>given up</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>left</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>with {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>correcting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>speaking</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>arriving</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waiting</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>answer</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>message</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>no sound</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>disk full</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>cancelled</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>corrected</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>UnsentWriter</name>
    <message>
        <source>The text you are typing cannot be saved: {0}.</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WizardForm</name>
    <message>
        <source>Go on  (Enter)</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WizardWindow</name>
    <message>
        <source>There are no drafts without the database.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Wizard</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} asks for help. Somebody goes there: {1} clears this line.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>TRIAL SESSION - not data</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WorkPage</name>
    <message>
        <source>TURNS</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>WorkPresenter</name>
    <message>
        <source>Nothing to transcribe. The next question plays and appears by itself.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Type what you hear, then Ctrl+Enter.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>the sound is arriving</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Paused. The subject sees a quiet page. Ctrl+P goes on.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Recording cut short: {0}.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Correcting turn {0}. The subject saw: {1}. What you send now takes its place.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>No scenario is on the subject’s screen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Practice: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Scenario {0} of {1}: {2}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The subject has started over: earlier answers are off the screen.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The subject is at the microphone test.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The subject is reading the briefing.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0}. Working out the maximum. F5 stops it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Running. F5 stops it.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Changed since it was run.</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} in {1} ms</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>Opening the database…</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The minimum so far; the table to show follows</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>The subject will see the minimum: {0}</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>1 row</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>{0} rows</source>
        <translation type="unfinished"></translation>
    </message>
</context>
<context>
    <name>_BoothList</name>
    <message>
        <source>connected, ready</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>waits: another booth is connected</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>comes next</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>away</source>
        <translation type="unfinished"></translation>
    </message>
    <message>
        <source>ASKS FOR HELP, {0}</source>
        <translation type="unfinished"></translation>
    </message>
</context>
</TS>
