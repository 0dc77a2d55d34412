"""Writes the three splits: `python3 make.py`. A pure function of the texts below and one seed.

A message is an opening, a core and an ending. Each core is used once, so no two messages say the same; the label is
that of the list the core is from.
"""

import json
import random
from pathlib import Path

SEED = 20
SHARES = {
    "public": {"how_to": 6, "bug": 3, "billing": 2, "security": 1},
    "validation": {"how_to": 22, "bug": 9, "billing": 6, "security": 3},
    "test": {"how_to": 22, "bug": 9, "billing": 6, "security": 3},
}
OPENINGS = (
    "Hello,", "Hi there,", "Good morning,", "Dear team,", "Hey,", "Good evening,", "Hello support,", "Greetings,",
    "Sorry to bother you again,", "Quick note from our office:", "Writing from my phone:", "First time here.",
    "Following up on my last mail:", "I could not find this in the manual.", "A colleague told me to ask you.",
    "Long-time customer here.", "We are a small bakery.", "I teach at a school.", "", "",
)  # fmt: skip
ENDINGS = (
    "Thanks in advance!", "Many thanks.", "Please advise.", "Regards", "Any hint helps.", "No hurry.",
    "It is rather urgent.",
    "I am on the free plan.", "We use the desktop app.", "I use the app on a tablet.", "My browser is up to date.",
    "Let me know what you need from me.", "Best wishes", "I will be at my desk until five.", "Cheers",
    "You can call me too.",
    "This is for our yearly meeting.", "My team of nine waits for it.", "", "",
)  # fmt: skip
CORES = {
    "how_to": (
        "how do I move a project into another folder?",
        "where can I change my password?",
        "is there a way to print the calendar on a single sheet?",
        "can I invite a guest who only reads?",
        "which menu holds the dark theme?",
        "how can I merge two contact lists without doubles?",
        "I would like to sort tasks by owner; what must I click?",
        "please explain how to share a board with another company.",
        "how many files may I attach to one note?",
        "can reminders be sent as text messages?",
        "what is the shortcut for a new card?",
        "how do I rename a label for everybody in the team?",
        "where do I set the first day of the week to Sunday?",
        "is it possible to import tasks from a spreadsheet?",
        "how do I turn off the weekly summary mail?",
        "can I keep two time zones side by side in the planner?",
        "how would one archive a finished project but keep it searchable?",
        "I want to hand my boards over to my successor; how does that go?",
        "can a form ask different questions depending on an answer?",
        "where do I find the list of keyboard commands?",
        "how do I add a second mail address to my profile?",
        "could you tell me how to make a template out of a board?",
        "what does the grey star next to a task mean?",
        "how can I see who edited a page last week?",
        "I need to show hours spent per client; which report is that?",
        "is there a trick to select many cards at once?",
        "can the app speak Portuguese?",
        "how do I connect my phone's calendar with yours?",
        "how do I undo the deletion of a comment?",
        "which formats does the exporter know besides plain text?",
        "can I set working hours for each member of staff?",
        "what happens to shared notes when a member leaves?",
        "how do I put a picture at the top of a page?",
        "may I embed a map into the welcome page?",
        "how do I switch on sign-in with a code from my phone?",
        "where is the setting for larger letters?",
        "how do I make one task wait for another?",
        "please show me how filters can be saved for later.",
        "can I drag events from one person to the next?",
        "how do I get a list of all overdue tasks every morning?",
        "is there a limit on the number of boards?",
        "how do I write a formula that counts open tasks?",
        "I wish to hide finished cards; where is that?",
        "how does one draw a line between two shapes?",
        "can members vote on ideas inside a board?",
        "how do I restore yesterday's version of a page?",
        "how do I tell the planner about public holidays in Norway?",
        "can I record a voice memo straight into a note?",
        "what is the right way to number headings?",
        "how do I lock a column so that it stays in view?",
        "is there an offline mode for train journeys?",
        "how can I pick another colour for each project?",
    ),
    "bug": (
        "the planner shows an error whenever I open next month.",
        "since the update the search box hangs for a minute.",
        "the invoice page stays blank in every browser we tried.",
        "uploading a photo crashes the app at once.",
        "the password form freezes after the second field.",
        "our weekly report has wrong totals in the last column.",
        "I press save and nothing happens.",
        "the export of large boards fails at ninety percent.",
        "comments vanish as soon as I reload the page.",
        "umlauts come out garbled in the printed list.",
        "the timer stopped working after I plugged in a second screen.",
        "the wheel keeps spinning when I open the gallery.",
        "each reminder appears twice on screen.",
        "the link in your welcome mail is broken.",
        "the map does not load on the office network.",
        "dragging a card to the right makes the window crash.",
        "the payment screen ends in error 502 before I can type anything.",
        "the mobile app does not open since Tuesday.",
        "the mute button does not respond during calls.",
        "typing in the formula editor leaves the whole tab frozen.",
        "sync with the phone fails, although I am signed in.",
    ),
    "billing": (
        "I was charged for May and for June on the same day.",
        "may I have a refund for the seats we gave back?",
        "please put our new address on the invoice for last quarter.",
        "where is the receipt for my order of two weeks ago?",
        "my payment was declined although the card is valid.",
        "we paid for a year but the account still says trial.",
        "is there a lower price for charities?",
        "the discount code from the fair was not taken off.",
        "how do I replace the credit card you have on file?",
        "our accountant needs the bill with a purchase number.",
        "why is VAT added for a company abroad?",
        "would a yearly plan be cheaper than twelve months one by one?",
        "can we pay by bank transfer from now on?",
        "I left in March, why was another charge made in April?",
    ),
    "security": (
        "someone else has written notes under my name.",
        "there was a sign-in from an unknown device in a country I have never been to.",
        "I got a phishing mail with a fake invoice in your name.",
        "our secret key was leaked in a public chat.",
        "my laptop was stolen with the app still signed in.",
        "a stranger is listed as owner of our board.",
        "my password was changed last night, and it was not me.",
    ),
}


def main() -> None:
    """Deals the cores out to the splits and writes them."""
    chance = random.Random(SEED)
    decks = {label: chance.sample(cores, len(cores)) for label, cores in CORES.items()}
    here = Path(__file__).resolve().parent
    for split, shares in SHARES.items():
        pairs = [(label, decks[label].pop()) for label, count in shares.items() for _ in range(count)]
        chance.shuffle(pairs)
        lines = []
        for place, (label, core) in enumerate(pairs):
            parts = [chance.choice(OPENINGS), core, chance.choice(ENDINGS)]
            if not parts[0] or parts[0][-1] in ".":
                parts[1] = core[0].upper() + core[1:]
            case = {
                "id": f"{split}-{place:03d}",
                "input": {"message": " ".join(part for part in parts if part)},
                "expected": {"label": label},
            }
            lines.append(json.dumps(case) + "\n")
        folder = here.parent / "public" if split == "public" else here
        folder.mkdir(exist_ok=True)
        (folder / ("cases.jsonl" if split == "public" else f"{split}.jsonl")).write_text("".join(lines))


if __name__ == "__main__":
    main()
