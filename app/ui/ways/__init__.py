"""The ways through the tabs: the list of all, the links at each foot, the start page's cards, a text carried along."""
