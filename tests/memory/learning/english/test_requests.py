"""Talk with an assistant is mostly requests: what belongs to the request in hand is not learnt, what is told beside it
is.
"""

from tests.memory.learning.knowledge import Learnt


def test_interest_in_hearing_more(learnt: Learnt) -> None:
    """
    2026-03-02 user: I'm really into Byzantine history and I'm interested in astronomy.
    2026-03-02 user: I'm interested in learning more about mosaics. I'm also interested in trying out the lamb recipe.
    2026-03-02 user: I'm interested in the second tent, and I'm interested in exploring other options.
    2026-03-02 user: I'm interested in volunteering at an animal shelter.
    """
    assert learnt.knows("Byzantine history")
    assert learnt.knows("interested in astronomy")
    assert learnt.knows("animal shelter")
    assert not learnt.knows("mosaics|lamb|tent|options")


def test_open_to_suggestions(learnt: Learnt) -> None:
    """
    2026-03-02 user: I'm open to trying new brands. I've been eyeing the red kayak. I've been craving ramen.
    2026-03-02 user: I've been rowing at the Trondheim club since 2019.
    """
    assert learnt.knows("rowing", "2019")
    assert not learnt.knows("brands|kayak|ramen")


def test_an_idea_is_liked_when_it_is_heard(learnt: Learnt) -> None:
    """
    2026-03-02 user: I like the idea of a reading corner. I love the idea of serving soup first.
    2026-03-02 user: I like the sound of Plan Fjord. I love the sound of rain.
    2026-03-02 user: I love the smell of cedar.
    """
    assert learnt.knows("sound of rain")
    assert learnt.knows("smell of cedar")
    assert not learnt.knows("corner|soup|Plan Fjord")


def test_plans_that_are_only_being_made(learnt: Learnt) -> None:
    """
    2026-03-02 user: I'm planning a camping trip and need some advice. I'm planning my meals for the upcoming week.
    2026-03-02 user: I'm planning a trip to Tallinn and considering hotels by the harbour. I'm planning my own wedding.
    2026-03-02 user: I'm trying to plan a get-together for next weekend.
    2026-03-03 user: We're planning a barbecue for next weekend and want it to be vegan.
    """
    assert learnt.the("planning", "Tallinn").content.endswith("Tallinn.")
    assert learnt.knows("planning", "own wedding")
    assert learnt.knows("barbecue", "weekend of 7 March 2026|weekend of 14 March 2026")
    assert not learnt.knows("camping|meals|get-together|need|consider|want")


def test_what_is_to_be_made_and_how(learnt: Learnt) -> None:
    """
    2026-03-02 user: Write me an outline for a talk on bridges. Provide your answer in a markdown format.
    2026-03-02 user: Give me a list of ten ferries. I need the names to be without numbers. Be more specific.
    2026-03-02 user: Use the table above. State the response based on the map above.
    2026-03-03 user: Draft a letter to my landlord. And please keep your replies short.
    2026-03-03 user: Please use metric units.
    """
    assert learnt.knows("replies short", category="instruction")
    assert learnt.knows("metric", category="instruction")
    assert not learnt.knows("markdown|names|specific|table|map")


def test_what_must_be_is_no_wish_of_style(learnt: Learnt) -> None:
    """
    2026-03-02 user: The imperial guard must have a certain dignity. I'm not sure which hashtags I should be using.
    2026-03-02 user: Your summaries should be in Welsh.
    """
    assert learnt.knows("summaries", "Welsh", category="instruction")
    assert not learnt.knows("guard|hashtags")


def test_my_address_is_to_be_changed(learnt: Learnt) -> None:
    """
    2026-03-02 user: I need to change my address with the water company.
    2026-03-02 user: I need receipts in PDF.
    """
    assert learnt.knows("receipts", "PDF")
    assert not learnt.knows("water company")


def test_a_part_that_is_played(learnt: Learnt) -> None:
    """
    2026-03-02 user: I live in Tromso. I want you to act as a shopkeeper. I am a baker and my name is Odd.
    2026-03-02 user: Assume that my name is Nora Lund and I'm from Quito.
    2026-03-02 user: Dear Ms Winter, my name is Lars and I work as a tailor.
    2026-03-03 user: I act as treasurer of our choir. I work as a nurse.
    """
    assert learnt.knows("Tromso")
    assert learnt.knows("nurse")
    assert not learnt.knows("baker|Odd|Nora|Quito|Lars|tailor")


def test_a_text_of_its_own(learnt: Learnt) -> None:
    """
    2026-03-02 user: The lighthouse stands on a cliff at the edge of a small island. The stairs are covered in sand and
        | shells. Marta teaches Gregor how to light the lamp. The keeper needs to carry a goat, a wolf and a cabbage up
        | the stairs, but the basket can only hold one thing at a time. The wolf cannot be left alone with the goat, and
        | the goat cannot be left alone with the cabbage. How does the keeper get all three of them up?
    2026-03-02 user: The invoices are stored in Nextcloud. Henrik runs the billing team.
    """
    assert learnt.knows("invoices", "Nextcloud")
    assert learnt.knows("Henrik", "billing")
    assert not learnt.knows("stairs|Marta|keeper|basket")


def test_whose_it_is(learnt: Learnt) -> None:
    """
    2026-03-02 user: I attended my cousin's wedding on the 22nd of February. My sister's moving to Ghent in May.
    2026-03-02 user: My cat Mia loves to sleep on her new blanket.
    """
    assert learnt.knows("cousin's wedding", "22 February 2026")
    assert learnt.knows("sister", "Ghent")
    assert learnt.the("Mia", "blanket").content == "The user's cat Mia loves to sleep on Mia's new blanket."


def test_days_that_say_of_what_kind_something_is(learnt: Learnt) -> None:
    """
    2026-03-25 user: I just got back from Sunday mass at St. Olav's Church on March 15th, it was crowded.
    2026-03-25 user: I attended a Tuesday workshop on mushrooms last month.
    2026-03-25 user: I repaired the green bike on Monday, March 9th, after the rain.
    2026-03-25 user: I have a dentist appointment on Friday, April 3.
    2026-03-25 user: I flew to Riga on Sunday.
    """
    assert (
        learnt.the("Sunday mass").content == "The user got back from Sunday mass at St Olav's Church on 15 March 2026."
    )
    assert learnt.knows("Tuesday workshop on mushrooms in February 2026")
    assert learnt.the("green bike").content == "The user repaired the green bike on 9 March 2026."
    assert learnt.knows("dentist appointment", "3 April 2026")
    assert learnt.knows("Riga", "22 March 2026")


def test_what_cannot_stand_alone(learnt: Learnt) -> None:
    """
    2026-03-02 user: One is called Huginn and the other is called Muninn. I lost track of time.
    2026-03-02 user: I won a certain number of games. I earned 50 points. I spent about 3 hours.
    2026-03-02 user: My family members are all pretty different. Since Hotel Fjord is a great place, I'm fine.
    2026-03-02 user: I lost my job at Equinor. My parrot is called Kaia. I won three medals at the regatta.
    """
    assert learnt.knows("lost", "job", "Equinor")
    assert learnt.knows("Kaia")
    assert learnt.knows("three medals")
    assert not learnt.knows("other|track|certain|points|hours|family|Fjord")


def test_words_that_only_look_misspelt(learnt: Learnt) -> None:
    """
    2026-03-02 user: I filed the request with the court on January 6th. I'm leaning towards the blue one.
    2026-03-02 user: My snake plant has been doing great, and I had a fight with my best friend six weeks ago.
    2026-03-02 user: my wife anna is a vet. I'm laerning Dutch.
    """
    assert learnt.knows("filed", "6 January 2026")
    assert learnt.knows("Anna", "vet")
    assert learnt.knows("learning Dutch")
    assert not learnt.knows("failed|blue|Plant|Six")


def test_plans_of_nothing_in_particular(learnt: Learnt) -> None:
    """
    2026-03-02 user: I'm planning to buy a new kettle. I'm planning to visit Lofoten again soon.
    2026-03-02 user: I'm planning to host a dinner soon. I'm planning to start a bakery. I'm planning to visit in April.
    2026-03-03 user: I'm planning to meet my sister's choir. I want to create some more shade. I want to visit Rome.
    """
    assert learnt.the("visit", "Lofoten").content.endswith("Lofoten.")
    assert learnt.knows("start", "bakery")
    assert learnt.knows("sister's choir")
    assert learnt.knows("wants to visit Rome")
    assert not learnt.knows("kettle|shade")
    assert not learnt.knows("host a dinner|visit in April")


def test_what_goes_on_with_ones_own_things(learnt: Learnt) -> None:
    """
    2026-03-02 user: I've been driving my current car. I've been loving my new lamp. I've been wearing my black boots.
    2026-03-02 user: I've been watering my ferns every day. I've been using cloves and mint in my cooking.
    2026-03-03 user: I've been wearing my blue coat daily. I've been making my own from scratch.
    """
    assert learnt.knows("watering", "ferns", "every day")
    assert learnt.knows("cloves and mint")
    assert learnt.knows("coat daily")
    assert not learnt.knows("car|lamp|boots|scratch")


def test_something_that_is_over_and_has_no_name(learnt: Learnt) -> None:
    """
    2026-03-02 user: I got back from a great run. I finished reading a thriller. I discovered a new band.
    2026-03-02 user: I finished reading "Growth of the Soil". I got back from a trip to Uppsala. I bought a house.
    2026-03-03 user: I went on a hike to Trolltunga the following weekend. I'm obsessed with the soundtrack.
    """
    assert learnt.knows("Growth of the Soil")
    assert learnt.knows("Uppsala")
    assert learnt.knows("bought a house")
    assert learnt.the("Trolltunga").content.endswith("Trolltunga.")
    assert not learnt.knows("run|thriller|band|soundtrack")


def test_times_said_twice(learnt: Learnt) -> None:
    """
    2026-05-20 user: My friend Sigrid got engaged last month, on April 12th. I repaired two clocks over the past month.
    2026-05-20 user: I'm an aspiring painter. My book club reads "My Friends" every Tuesday. I don't know the price.
    """
    assert learnt.the("Sigrid", "engaged").content == "The user's friend Sigrid got engaged on 12 April 2026."
    assert learnt.knows("two clocks in April 2026")
    assert learnt.knows("is an aspiring painter")
    assert not learnt.knows("user's Friends|price|works as")


def test_whole_and_in_its_tense(learnt: Learnt) -> None:
    """
    2026-05-20 user: I joined a choir in Malmo that I like. I read "Hunger" last week.
    2026-05-20 user: I've been swimming at the lake pool four times a week for the past six weeks.
    2026-05-21 user: I've seen some cool designs. I read the Guardian every day.
    """
    assert learnt.knows("joined a choir in Malmo")
    assert learnt.knows('read "Hunger" in the week of 11 May 2026')
    assert learnt.knows("swimming", "since April 2026")
    assert learnt.knows("reads the Guardian every day")
    assert not learnt.knows('designs|reads "Hunger')


def test_what_is_done_these_days(learnt: Learnt) -> None:
    """
    2026-03-02 user: I'm trying to learn more about gulls. I'm interested in understanding tides better.
    2026-03-02 user: I'm trying to learn Icelandic. I'm planning to go for a run this weekend.
    2026-03-03 user: I'm planning to go for a hike in Norway in June.
    """
    assert learnt.knows("trying to learn Icelandic")
    assert learnt.knows("Norway", "June 2026")
    assert not learnt.knows("gulls|tides|run")


def test_somebody_who_was_met(learnt: Learnt) -> None:
    """
    2026-03-02 user: I met a guy named Rune, who was a software engineer, at a conference in Bergen.
    2026-03-02 user: My brother Leif works as a pilot.
    """
    assert learnt.knows("Rune was a software engineer")
    assert learnt.knows("Leif", "pilot")
    assert not learnt.knows("guy Rune was|user's guy")
