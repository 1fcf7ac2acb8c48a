"""Models edited in the background: runs of the Lab that are done as a whole, each by a process of its own.

- `design`: which words of which text, on which model; `plan`: what it will cost, and what cannot be done.
- `work`: what is written of a new one; `orders`: what the process is told and says; `process`: the process;
  `workshop`: starts it, starts it again, and puts a finished edit into the catalog.
- `documents`, `paragraph`, `export`: what came out; `service`: whose edits there are, and what they show.

How an edit is made and measured is `interactions.editing`, for the command as well.
"""
