"""A walk through the window in two minutes: small cards beside the things they tell of."""

from heatstudio.ui.tour.card import TourCard
from heatstudio.ui.tour.step import STEPS, Place, Step
from heatstudio.ui.tour.tour import Anchor, Tour

__all__ = ["STEPS", "Anchor", "Place", "Step", "Tour", "TourCard"]
