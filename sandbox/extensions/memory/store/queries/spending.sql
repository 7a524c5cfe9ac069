-- record: what asking a model cost
INSERT INTO spending (user_id, day, step, model, calls, prompt_tokens, completion_tokens)
VALUES (:user_id, :day, :step, :model, :calls, :prompt_tokens, :completion_tokens)
ON CONFLICT (user_id, day, step, model) DO UPDATE SET
    calls = calls + excluded.calls,
    prompt_tokens = prompt_tokens + excluded.prompt_tokens,
    completion_tokens = completion_tokens + excluded.completion_tokens;

-- spent_on: tokens of one day, whoever they were spent for
SELECT coalesce(sum(prompt_tokens + completion_tokens), 0) FROM spending WHERE day = :day;
