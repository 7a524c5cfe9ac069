"""Waiting for vectors while others go on storing."""

import asyncio

from sandbox.extensions.memory import Memory


async def test_waiting_ends_however_much_is_added_meanwhile(embedded: Memory) -> None:
    """All turns from before the wait have vectors; later turns are no failure of the provider."""

    async def talk() -> None:
        for number in range(150):
            await embedded.observe("user", f"This is turn {number} of many.", session="s")

    talking = asyncio.create_task(talk())
    while not talking.done():
        await embedded.wait_until_embedded()
        await asyncio.sleep(0)
    await talking
    await embedded.wait_until_embedded()
    assert (await embedded.statistics()).embedding_backlog == 0
